"""Where memory lives: one door to change it, consistent reads."""
