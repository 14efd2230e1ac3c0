"""The demo's texts, written for this project: a small bilingual story grammar and its seeds.

``python -m resources.demo.generator`` writes every file of ``resources/demo`` again, byte for byte.
"""
