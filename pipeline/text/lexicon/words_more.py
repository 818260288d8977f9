"""Italian, Portuguese, Dutch, Swedish, Polish and Greek: function words, enough to know the language and to find names and phrases between them."""

from pipeline.text.lexicon.words import Words, listed

_IT_DETERMINERS = listed(
    "il lo la i gli le l' un uno una del dello della dei degli delle al allo alla ai agli alle dal dalla nel nello nella nei"
    " nelle sul sulla questo questa questi queste quel quello quella quei quelle mio mia suo sua suoi sue nostro nostra loro"
    " ogni tutto tutta tutti tutte alcuni alcune due tre quattro cinque primo prima secondo altro altra altri di d'"
)
_PT_DETERMINERS = listed(
    "o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela este esta estes estas esse essa aquele aquela"
    " meu minha seu sua seus suas nosso nossa cada todo toda todos todas algum alguma alguns outro outra outros dois duas três"
    " quatro primeiro primeira segundo de"
)
_NL_DETERMINERS = listed(
    "de het een dit dat deze die mijn jouw zijn haar ons onze hun elk elke ieder iedere alle sommige veel weinig twee drie vier"
    " vijf zes zeven acht negen tien eerste tweede andere"
)

ITALIAN = Words(
    function=_IT_DETERMINERS
    | listed(
        "io tu lui lei egli ella noi voi essi mi ti si ci vi ne che chi cui quale quali cosa in a da con su per tra fra e ed o"
        " ma se come quando dove perché mentre però quindi dunque anche ancora già sempre mai non più meno molto poco bene male"
        " qui lì oggi ieri domani ora poi dopo prima è sono era erano fu furono essere stato stata ha hanno aveva avevano avere"
        " ho può possono deve fa fare disse dice verso durante contro senza secondo sotto sopra"
    ),
    determiners=_IT_DETERMINERS,
    connectors=listed("di del della dei degli da dal de d' la lo"),
    masculine=listed("signor re principe duca conte papa don"),
    feminine=listed("signora regina principessa duchessa contessa donna"),
    honorifics=listed("san santo santa dott professore presidente generale"),
    places_after=listed("a in verso"),
    calendar=listed(
        "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio agosto"
        " settembre ottobre novembre dicembre"
    ),
)

PORTUGUESE = Words(
    function=_PT_DETERMINERS
    | listed(
        "eu tu ele ela nós vós eles elas você vocês me te se lhe lhes que quem qual quais em por para com sem sob sobre entre"
        " até desde contra durante e ou mas se como quando onde porque porém então também ainda já sempre nunca não sim mais"
        " menos muito pouco bem mal aqui ali hoje ontem amanhã agora depois antes é são era eram foi foram ser sido está estão"
        " estava tem têm tinha ter há pode podem deve faz fazer disse diz"
    ),
    determiners=_PT_DETERMINERS,
    connectors=listed("de do da dos das"),
    masculine=listed("senhor sr dom rei príncipe duque conde"),
    feminine=listed("senhora sra dona rainha princesa duquesa condessa"),
    honorifics=listed("dr dra são santo santa papa presidente general"),
    places_after=listed("em"),
    calendar=listed(
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo janeiro fevereiro março abril maio"
        " junho julho agosto setembro outubro novembro dezembro"
    ),
)

DUTCH = Words(
    function=_NL_DETERMINERS
    | listed(
        "ik jij hij zij wij jullie u mij jou hem hen zich wie wat welke er in op aan bij met van voor naar uit over onder tussen"
        " door om tot tegen zonder tijdens na en of maar want dus als toen wanneer waar waarom hoe omdat hoewel terwijl ook nog"
        " al altijd nooit niet geen wel zeer heel meer minder hier daar vandaag gisteren nu dan is was waren ben bent zijn wordt"
        " worden werd werden heeft hebben had hadden kan kunnen kon moet moeten zal zullen zou zei ging kwam"
    ),
    determiners=_NL_DETERMINERS,
    connectors=listed("van de der den het 't aan op ten ter"),
    masculine=listed("heer koning prins hertog graaf keizer"),
    feminine=listed("mevrouw koningin prinses hertogin gravin"),
    honorifics=listed("dr prof sint paus generaal"),
    places_after=listed("in te uit naar"),
    calendar=listed(
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart april mei juni juli augustus"
        " september oktober november december"
    ),
)

SWEDISH = Words(
    function=listed(
        "en ett den det de dessa denna detta och att som på av för med till var han hon jag du vi ni man sig sin sitt sina om men"
        " eller när där hur vad vem inte också från efter under över mellan vid hos mot utan genom är har hade blev blir kan kunde"
        " ska skulle vill måste får fick mycket mer mest bara här nu då så i"
    ),
    determiners=listed("en ett den det de dessa denna detta sin sitt sina varje alla några många"),
    connectors=listed("av"),
    places_after=listed("i från till"),
)

POLISH = Words(
    function=listed(
        "i w we z ze na do od po o u za dla przez pod nad przy bez między oraz a ale lub czy że żeby aby jak gdy kiedy gdzie kto co"
        " który która które którzy tym tego tej ten ta to te jego jej ich mój moja swój swoje się nie tak już tylko także też jest"
        " są był była było były być został została zostało będzie może można ma mieć on ona ono oni my wy ja ty bardzo po"
    ),
    places_after=listed("w we do z ze"),
)

GREEK = Words(
    function=listed(
        "ο η το οι τα του της των τον την τους τις ένας μια μία ένα στο στη στην στον στους στις στα σε από για με προς κατά μετά"
        " πριν και ή αλλά όμως αν όταν όπου πως ότι που να θα δεν μη είναι ήταν έχει είχε αυτός αυτή αυτό εγώ εσύ εμείς εσείς"
        " αυτοί ποιος τι πού πότε πολύ πιο μόνο επίσης ως"
    ),
    determiners=listed("ο η το οι τα του της των τον την τους τις ένας μια μία ένα"),
    places_after=listed("στο στη στην στον"),
)
