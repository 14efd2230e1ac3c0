"""What families share: one learner per formulation, whatever model stands behind it."""
