"""What the rules of the leaderboard take, worked out while planning."""
