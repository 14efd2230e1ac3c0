#!/usr/bin/env bash
# Snakemake runs this in the new environment: a list of pins cannot say --no-deps for one of them.
pip install --no-deps ve-fairseq==0.12.3
