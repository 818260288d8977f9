"""German: function words, and the nouns and titles that tell people, places, organisations and events."""

from pipeline.text.lexicon.words import Words, listed

_DETERMINERS = listed(
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines mein meine meinen meinem"
    " meiner meines dein deine deinen deinem deiner sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres"
    " unser unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede"
    " jedes jeden jedem welcher welche welches alle allen aller alles einige einigen einiger viele vielen vieler mehrere"
    " mehreren wenige beide beiden manche solche zwei drei vier fünf sechs sieben acht neun zehn hundert tausend im am vom"
    " zum zur beim ins ans erste ersten erster zweite zweiten dritte dritten"
)

_FUNCTION = _DETERMINERS | listed(
    "ich du er sie es wir mich dich sich uns euch ihm ihn ihnen mir dir man wer wen wem was jemand niemand etwas nichts selbst"
    " in an auf aus bei mit nach von vor zu zwischen über unter hinter neben durch für gegen ohne um bis seit während wegen"
    " trotz statt entlang gegenüber innerhalb außerhalb ab als wie und oder aber denn sondern doch weil dass daß ob wenn falls"
    " obwohl damit bevor nachdem sobald solange indem sowie sowohl weder noch entweder je desto"
    " ist sind war waren wird werden wurde wurden worden geworden bin bist sei seien wäre wären gewesen hat haben hatte hatten"
    " habe hast hätte hätten gehabt kann können konnte konnten könnte muss müssen musste mussten soll sollen sollte sollten"
    " will wollen wollte wollten darf dürfen durfte mag mögen möchte ließ lassen lässt"
    " nicht nie niemals nun nur auch noch schon sehr so zu mehr viel wenig ganz etwa fast kaum bald immer wieder oft einmal"
    " dann da dort hier heute gestern morgen jetzt damals später früher zuerst zuletzt schließlich endlich jedoch dennoch"
    " allerdings außerdem deshalb daher darum deswegen trotzdem zudem ebenfalls ebenso bereits zunächst danach davor dabei dafür"
    " dagegen daran darauf daraus darin darüber davon dazu wo wohin woher wann warum wieso weshalb wobei wodurch worauf"
    " ja nein doch bitte danke ach oh herzlich hinweis kapitel abschnitt einleitung inhalt vgl usw bzw etc"
    " sagte sagt ging kam machte gab nahm stand ließ blieb fand hielt begann führte"
)

_CALENDAR = listed(
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz april mai juni juli august"
    " september oktober november dezember jan feb mrz apr jun jul aug sep okt nov dez eur euro euros usd uhr prozent"
)

GERMAN = Words(
    function=_FUNCTION,
    determiners=_DETERMINERS,
    generic=listed(
        "jahr jahre jahren jahres tag tage tagen zeit zeiten mal stunde stunden minute minuten woche wochen monat monate teil"
        " teile ende anfang beginn art weise fall fälle grund gründe ding dinge sache sachen seite seiten stelle frage fragen"
        " antwort beispiel zahl anzahl menge leben leute menschen mensch hand hände auge augen kopf name namen wort worte"
        " wörter ort platz lage form folge rolle jahrhundert jahrhunderts abend nacht mittag moment augenblick weg hälfte"
    ),
    connectors=listed("von vom zu zum am"),
    masculine=listed("herr herrn könig königs kaiser prinz fürst herzog graf freiherr baron bruder onkel vater pater"),
    feminine=listed("frau fräulein königin kaiserin prinzessin fürstin herzogin gräfin schwester tante mutter"),
    honorifics=listed(
        "dr prof professor sankt st heiliger heilige papst bischof erzbischof kardinal präsident general"
    ),
    places_after=listed("in aus nach bei nahe"),
    speech=listed("sagte sagt fragte antwortete rief erklärte schrieb meinte starb wurde lebte geboren glaubte"),
    calendar=_CALENDAR,
    person=listed(
        "mann frau mädchen junge kind könig königin kaiser kaiserin prinz prinzessin herzog graf ritter soldat feldherr"
        " hauptmann general offizier minister kanzler präsident bischof priester mönch nonne papst richter anwalt lehrer"
        " schüler student professor arzt ärztin wissenschaftler forscher ingenieur künstler maler dichter schriftsteller"
        " komponist sänger schauspieler regisseur händler kaufmann bauer bäcker schmied diener vater mutter sohn tochter bruder"
        " schwester onkel tante neffe nichte vetter freund feind nachbar bürger held heldin jungfrau führer anführer gründer"
    ),
    place=listed(
        "stadt dorf land region provinz herzogtum königreich reich kaiserreich republik berg gebirge tal fluss see meer insel"
        " küste wald straße gasse platz brücke tor mauer turm burg schloss festung palast haus hof kirche dom kloster kapelle"
        " friedhof schule bibliothek museum theater bahnhof flughafen hafen krankenhaus gefängnis rathaus markt"
    ),
    organization=listed(
        "unternehmen firma gesellschaft verein verband partei regierung ministerium amt parlament bundestag bundesrat senat"
        " gericht universität hochschule akademie institut stiftung bank zeitung verlag armee heer flotte orden gilde kirche"
        " gewerkschaft konzern familie"
    ),
    event=listed(
        "krieg schlacht belagerung aufstand revolution feldzug angriff vertrag frieden waffenstillstand krönung hochzeit"
        " beerdigung prozess verhandlung hinrichtung wahl konferenz kongress fest feier weihnachten ostern meisterschaft reise"
        " expedition erdbeben seuche pest krise"
    ),
    work=listed(
        "buch roman erzählung gedicht drama oper sinfonie lied album film serie gemälde skulptur zeitschrift chronik"
    ),
    demonyms=listed(
        "deutsche deutschen deutscher französische französischen englische englischen britische britischen italienische"
        " italienischen spanische russische amerikanische amerikanischen europäische europäischen"
    ),
)
