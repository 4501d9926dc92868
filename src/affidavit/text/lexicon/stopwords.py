"""Function words of a few languages: left out of questions, and used to tell one language from another.

Each list is short on purpose: words that carry grammar and no subject. They are written the way people type
them, accents included, and compared with words in lower case.
"""

from typing import Final

# Kept as running text, which a person can read and a review can compare; the code splits it.
_ENGLISH: Final = """
    a about after again all also always am among an and any anyone anything are aren't around as ask at
    away be became because been before being between both but by can can't cannot could couldn't did
    didn't do does doesn't doing don't done during each either else ever every everything few for from
    further get gets getting give given go goes going got had hadn't has hasn't have haven't having he her
    here hers herself him himself his how however i if in into is isn't it its itself just kind know let
    like lot made make makes many may maybe me might mine more most much must my myself neither no none
    nor not now of off often on once one only onto or other others our ours out over own per perhaps
    please quite rather really same say see seem seemed several shall she should shouldn't since so some
    someone something sort still such than that the their theirs them themselves then there these they
    thing things this those though through thus to too toward towards under until up upon us use used
    using very via was wasn't way we well were weren't what whatever when where whether which while who
    whom whose why will with within without won't would wouldn't yes yet you your yours yourself
    yourselves
"""

#: English stop words.
ENGLISH: Final = frozenset(_ENGLISH.split())

# Words of other languages that are also ordinary English words or names say nothing about a text's language.
_ALSO_ENGLISH: Final = """
    a abbot age ai al all alla am an are as at be ben bent big bin bu but by can car com come comment con
    da dame dan dare date die do door dos due en era est ete fin fine for fort fur gut ha had han hans has
    hat he hem hen her here hers him his hoe hon i in io is it ja jan ki kim la las last late lei les like
    ma man me men met mon most mot my ne no non not note nu num nun ob of on once one or os over par pas
    per plus pour sage se see ser sin sit so sob sole solo son sono stato sue tan ten than that the then
    this till time to toe ton tot tun ut van var ven want war was we were wet will with you
"""
_SHARED: Final = frozenset(_ALSO_ENGLISH.split())

_OTHERS: Final = {
    "spanish": """
    al algo alguien ante antes así aunque como cómo con contra cual cuál cuando cuándo de del desde donde dónde
    durante el él ella ellas ellos en entonces entre era eres es esa ese eso esta está están estas este esto
    estos fue ha hace hacia han hasta hay la las le les lo los más me mi mis mucho muy nada ni no nos nosotros
    nuestra nuestro o os otra otro para pero por porque pues que qué quien quién se ser si sí sin sobre son soy
    su sus también tan te tiene tienen tengo todo todos tu tú tus un una unas uno unos usted ustedes y ya yo
    """,
    "german": """
    aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da
    damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
    du durch ein eine einem einen einer eines er es etwas euch euer für gegen habe haben hat hatte hatten hier
    hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren im in ist ja jede jeden jeder jetzt kann kein keine können
    man mein meine meinem meinen meiner mich mir mit nach nicht nichts noch nun nur ob oder ohne sehr sein seine
    seinem seinen sich sie sind so über um und uns unser unsere unter vom von vor wann war waren warum was weil
    welche welcher wem wen wenn wer werde werden wie wieder will wir wird wo zu zum zur zwischen
    """,
    "french": """
    ai alors après as au aucun aussi autre aux avait avant avec avez avoir c ce ceci cela celle celui ces cet
    cette chez comme comment d dans de depuis des deux donc dont du elle elles en encore est et été être eu eux
    fait font ici il ils j je jusque l la là le les leur leurs lui m ma mais me même mes moi mon n ne ni nos notre
    nous on ont ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quels qui quoi
    s sa sans se ses si sont sous suis sur t ta te tes toi ton tous tout toute très tu un une vers vos votre vous
    y
    """,
    "portuguese": """
    à ao aos aquela aquele aquilo as às até com como da das de dela dele depois do dos e é ela elas ele eles em
    entre era essa esse esta está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu meus minha
    minhas muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelo pelos por porque qual
    quando que quem são se sem ser seu seus sim só sobre sua suas também te tem têm tenho ter teu tua tudo um uma
    você vocês
    """,
    "italian": """
    agli ai al alla alle allo anche ancora c che chi ci come con cosa cui da dagli dai dal dalla dalle de degli
    dei del della delle dello di dopo dove due e è ed era erano essere fa fino fra gli ha hai hanno ho i il in io
    la le lei li lo loro lui ma mi mia mie miei mio molto ne negli nei nel nella nelle no noi non nostra nostro o
    ogni per perché però più poi prima qual quale quando quanto quella quelle quello questa queste questo qui se
    sei senza si sia siamo solo sono sotto sta stato su sua sue sui sul sulla suo tra tu tua tuo tutti tutto un
    una uno vi voi vostro
    """,
    "dutch": """
    aan af al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er
    ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jou jouw kan
    kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over
    reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel werd wie
    wij wil worden zal ze zelf zich zij zijn zo zonder zou
    """,
    "swedish": """
    alla allt att av blev bli blir de dem den denna deras det detta dig din dina där efter ej eller en ett för
    från ha hade han hans har henne hennes hon honom hur här i icke inte jag ju kan kunde man med mellan men mig
    min mina mitt mot mycket ni nu när någon något och om oss på samma sig sin sina ska skulle som så till under
    upp ut vad var vara varför vart vi vid vilken vår åt än är över
    """,
    "turkish": """
    acaba ama ancak bana bazı belki ben beni benim bir biri biz bizim bu bunu çok çünkü da daha de değil diye en
    gibi hem hep her hiç için ile ise kadar ki kim kime mı mi mu mü nasıl ne neden nerede niçin o olan olarak oldu
    onlar onu onun sana sen senin siz şey şu tüm var ve veya ya yani yok
    """,
}

#: Stop words of each other language, as typed.
STOP_WORDS: Final = {name: frozenset(words.split()) for name, words in _OTHERS.items()}

#: Words that are no names, however they are written.
GRAMMAR: Final = ENGLISH.union(*STOP_WORDS.values())

#: The same less what English also has: one of these in a text is a vote for its language.
MARKERS: Final = {name: words - ENGLISH - _SHARED for name, words in STOP_WORDS.items()}
