"""Stage corpus: raw files to clean, deduplicated, decontaminated documents, statistics, packed tokens.

Modules in the order in which data flows: listing, names, sources, encodings, formats (the readers), ingest,
clean (with texts, measures and sentences), filters, signatures (with parts), matches, duplicates (with verdicts),
deduplicate, contamination, statistics, pack, index.
"""

VERSION = 8
