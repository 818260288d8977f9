"""Spanish: function words, and the nouns and titles that tell people, places, organisations and events."""

from pipeline.text.lexicon.words import Words, listed

_DETERMINERS = listed(
    "el la los las lo un una unos unas del al este esta estos estas ese esa esos esas aquel aquella aquellos aquellas mi mis tu"
    " tus su sus nuestro nuestra nuestros nuestras vuestro vuestra cada todo toda todos todas algún alguna algunos algunas"
    " ningún ninguna muchos muchas pocos pocas varios varias otro otra otros otras mismo misma dos tres cuatro cinco seis"
    " siete ocho nueve diez cien mil primer primera segundo segunda último última de"
)

_FUNCTION = _DETERMINERS | listed(
    "yo tú él ella ello nosotros vosotros ellos ellas usted ustedes me te se nos os le les que quien quienes cual cuales cuyo"
    " qué quién cuál algo nada alguien nadie a ante bajo con contra desde durante en entre hacia hasta mediante para por según"
    " sin sobre tras y e o u pero sino aunque porque pues si como cuando donde mientras entonces así también tampoco además sin"
    " embargo ya aún todavía siempre nunca muy más menos mucho poco bien mal aquí allí ahí hoy ayer mañana ahora después antes"
    " luego tarde pronto casi solo sólo no sí es son era eran fue fueron ser sido será serán sería está están estaba estaban"
    " estar ha han había habían haber hay he hemos tiene tienen tenía tener hace hacer hizo puede pueden podía poder debe deben"
    " va van ir dijo dice cómo cuándo dónde gracias capítulo página sección introducción"
)

SPANISH = Words(
    function=_FUNCTION,
    determiners=_DETERMINERS,
    generic=listed(
        "año años día días tiempo tiempos vez veces hora horas minuto semana mes meses siglo siglos parte partes fin final"
        " principio tipo modo forma manera caso razón cosa cosas lado punto pregunta respuesta ejemplo número vida mundo gente"
        " hombre hombres mujer mujeres persona personas mano manos cabeza ojos nombre palabra lugar momento noche mañana"
    ),
    connectors=listed("de del la las los el"),
    masculine=listed("sr señor don rey príncipe duque conde barón marqués emperador padre hermano tío fray"),
    feminine=listed("sra srta señora señorita doña reina princesa duquesa condesa emperatriz madre hermana tía sor"),
    honorifics=listed(
        "dr dra doctor doctora profesor san santo santa papa obispo arzobispo cardenal presidente general capitán"
    ),
    places_after=listed("en a hacia desde hasta"),
    speech=listed("dijo dice respondió preguntó afirmó declaró escribió añadió murió nació creía"),
    calendar=listed(
        "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre"
        " octubre noviembre diciembre"
    ),
    person=listed(
        "rey reina emperador príncipe princesa duque conde caballero soldado capitán general oficial ministro presidente obispo"
        " cardenal papa sacerdote monje juez abogado profesor alumno estudiante médico científico investigador ingeniero artista"
        " pintor poeta escritor compositor cantante actor actriz director comerciante campesino panadero herrero criado padre"
        " madre hijo hija hermano hermana tío tía sobrino sobrina primo marido esposa amigo amiga enemigo vecino ciudadano héroe"
    ),
    place=listed(
        "ciudad pueblo aldea país región provincia ducado reino imperio república montaña valle río lago mar isla costa bosque"
        " calle plaza puente puerta muralla torre castillo fortaleza palacio casa iglesia catedral abadía monasterio capilla"
        " cementerio escuela biblioteca museo teatro estación aeropuerto puerto hospital cárcel mercado"
    ),
    organization=listed(
        "empresa sociedad compañía asociación partido gobierno ministerio parlamento senado tribunal universidad academia"
        " instituto fundación banco periódico ejército armada orden iglesia sindicato familia equipo consejo"
    ),
    event=listed(
        "guerra batalla asedio sitio revuelta revolución campaña ataque tratado paz tregua coronación boda juicio ejecución"
        " elección conferencia congreso fiesta navidad campeonato viaje expedición terremoto peste crisis muerte nacimiento"
    ),
    work=listed(
        "libro novela cuento poema obra ópera sinfonía canción álbum película serie cuadro escultura revista crónica"
    ),
    demonyms=listed("español española francés francesa inglés inglesa alemán alemana italiano italiana"),
)
