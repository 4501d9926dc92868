"""English forms that no suffix rule reaches: irregular verbs and plurals.

A question asks "what did she buy", the answer says "I bought". Forms with a second common meaning of their
own (rose, ground, wound, led, bore, lay) are left out: joining them would cost more than it brings.
"""

from typing import Final

_FORMS: Final = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bite bit bitten;
bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought;
catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn;
dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt;
fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
forgive forgave forgiven; freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung;
hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; learn learnt;
leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; overcome overcame; pay paid;
ride rode ridden; ring rang rung; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn;
shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk;
sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen;
stick stuck; sting stung; strike struck; strive strove; swear swore sworn; sweep swept; swim swam swum;
swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; undergo underwent undergone; wake woke woken; wear wore worn; weave wove woven;
weep wept; win won; withdraw withdrew withdrawn; write wrote written; rewrite rewrote rewritten;
child children; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese; person people persons;
wife wives; knife knives; wolf wolves; shelf shelves; thief thieves; loaf loaves; half halves; calf calves;
life lives; ox oxen
"""


def _table() -> dict[str, str]:
    table = {}
    for group in _FORMS.split(";"):
        base, *forms = group.split()
        table.update(dict.fromkeys(forms, base))
    return table


#: An irregular form -> its base form, both lower case.
IRREGULAR: Final = _table()
