"""Times in words and digits: what they mean for somebody who says them at a known moment. Pure."""
