"""The leaderboard: a static site over the scores, predictions and accounts of a run."""
