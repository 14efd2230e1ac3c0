"""Texts that tiny models learn, and how."""

from itertools import product

ZH = [
    f"{who}{where}，{what}。"
    for who, where, what in product("他她我", ["回到家", "走出门", "坐下来"], ["没有说话", "笑了"])
]
EN = [f"{who} {what}." for who, what in product(["He", "She", "The boy"], ["went home", "said nothing", "sat down"])]
FAMILIES = {"encoder": ("zh", ZH), "bart": ("zh", ZH), "mbart": ("multi", ZH + EN), "gpt2": ("en", EN)}
TRAINING = {
    "learning_rate": 3e-3,
    "batch_size": 8,
    "batch_unit": "sequences",
    "max_length": 32,
    "steps": 60,
    "warmup": 5,
    "schedule": "linear",
    "betas": [0.9, 0.98],
    "weight_decay": 0.01,
    "dropout": 0.1,
    "clip": 1.0,
    "save_every": 20,
    "keep_best": True,
}
