"""Score JSON Lines of src, mt and ref with a COMET checkpoint: CHECKPOINT IN OUT GPUS BATCH.

Runs in COMET's own environment, so it imports the standard library and comet only. The caller has
compared the checkpoint's sha256 with the recorded one.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from comet import load_from_checkpoint

PACKAGES = ("unbabel-comet", "torch", "transformers")


def main(checkpoint: str, asked: str, answered: str, gpus: str, batch: str) -> None:
    """Write a line of the packages' versions, then one {"score": x} a line, in the order asked."""
    with Path(asked).open(encoding="utf-8", newline="\n") as stream:
        samples = [json.loads(line) for line in stream]
    model = load_from_checkpoint(checkpoint, local_files_only=True)
    step = model.predict_step  # whose calls the caller counts
    model.predict_step = lambda *given: (step(*given), print("batch", flush=True))[0]
    scores = model.predict(samples, batch_size=int(batch), gpus=int(gpus), num_workers=1, progress_bar=False).scores
    with Path(answered).open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(json.dumps({name: version(name) for name in PACKAGES}) + "\n")
        stream.writelines(json.dumps({"score": float(score)}) + "\n" for score in scores)


if __name__ == "__main__":
    main(*sys.argv[1:])
