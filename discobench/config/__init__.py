"""The configuration: typed, merged, checked before anything is planned."""
