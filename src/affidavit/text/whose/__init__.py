"""Whose words a text holds: quoted, forwarded, pasted, our own come back; and foreign words made inert. Pure."""
