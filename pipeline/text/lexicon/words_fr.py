"""French: function words, and the nouns and titles that tell people, places, organisations and events."""

from pipeline.text.lexicon.words import Words, listed

_DETERMINERS = listed(
    "le la les l' un une des du de d' au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs"
    " quel quelle quels quelles tout toute tous toutes chaque plusieurs quelques aucun aucune deux trois quatre cinq six sept"
    " huit neuf dix cent mille premier première deuxième second seconde dernier dernière autre autres même mêmes"
)

_FUNCTION = _DETERMINERS | listed(
    "je tu il elle on nous vous ils elles me te se lui y en moi toi soi eux qui que qu' quoi dont où lequel laquelle lesquels"
    " celui celle ceux celles ceci cela ça rien personne quelqu'un à dans par pour sur sous avec sans vers chez entre contre"
    " depuis pendant durant avant après devant derrière jusque jusqu' lors dès parmi malgré selon hors près loin"
    " et ou mais donc or ni car si comme quand lorsque lorsqu' puisque parce afin ainsi tandis alors cependant toutefois"
    " pourtant néanmoins enfin ensuite puis aussi encore déjà toujours jamais souvent parfois ici là maintenant aujourd'hui"
    " hier demain bientôt tard tôt très trop peu plus moins assez beaucoup bien mal ne n' pas point non oui"
    " est sont était étaient être été fut furent sera seront serait suis es sommes êtes soit a ai as avons avez ont avait"
    " avaient aura auront aurait eu eut avoir fait font faire faisait fit dit peut peuvent pouvait pouvoir pu doit doivent"
    " devait va vont aller allait vient veut voulait s' c' j' m' t' n' qu' jusqu' notamment surtout environ presque seulement"
    " voici voilà merci chapitre section page volume introduction préface"
)

FRENCH = Words(
    function=_FUNCTION,
    determiners=_DETERMINERS,
    generic=listed(
        "an ans année années jour jours temps fois heure heures minute semaine mois siècle siècles partie parties fin début"
        " sorte façon manière cas raison chose choses côté point question réponse exemple nombre vie monde gens homme hommes"
        " femme femmes main mains tête yeux œil nom mot mots lieu place forme suite moment soir nuit matin part effet rôle"
    ),
    connectors=listed("de du des d' la le"),
    masculine=listed(
        "m monsieur messieurs roi prince duc comte baron marquis empereur seigneur sire père frère oncle maître"
    ),
    feminine=listed("mme mlle madame mademoiselle reine princesse duchesse comtesse dame mère sœur tante impératrice"),
    honorifics=listed(
        "dr docteur professeur saint sainte st ste pape évêque archevêque cardinal président général capitaine"
    ),
    places_after=listed("à en vers dans chez depuis"),
    speech=listed("dit déclare répondit demanda écrit écrivit affirma ajouta cria pensait mourut naquit née né"),
    calendar=listed(
        "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre"
        " novembre décembre"
    ),
    person=listed(
        "roi reine empereur prince princesse duc duchesse comte comtesse chevalier soldat capitaine général maréchal officier"
        " ministre président évêque archevêque cardinal pape prêtre moine juge avocat professeur élève étudiant médecin savant"
        " chercheur ingénieur artiste peintre poète écrivain compositeur chanteur acteur actrice réalisateur marchand paysan"
        " boulanger forgeron serviteur père mère fils fille frère sœur oncle tante neveu nièce cousin mari épouse ami amie"
        " ennemi voisin citoyen héros héroïne pucelle dauphin chef fondateur"
    ),
    place=listed(
        "ville village pays région province duché royaume empire république montagne vallée fleuve rivière lac mer île côte"
        " forêt rue place pont porte muraille tour château forteresse palais maison église cathédrale abbaye monastère chapelle"
        " cimetière école bibliothèque musée théâtre gare aéroport port hôpital prison marché chambre salle"
    ),
    organization=listed(
        "entreprise société compagnie association parti gouvernement ministère parlement sénat assemblée tribunal université"
        " académie institut fondation banque journal armée flotte ordre église syndicat famille équipe conseil"
    ),
    event=listed(
        "guerre bataille siège révolte révolution campagne attaque traité paix trêve couronnement sacre mariage procès exécution"
        " élection conférence congrès fête noël pâques championnat voyage expédition séisme peste crise mort naissance"
    ),
    work=listed(
        "livre roman conte poème pièce opéra symphonie chanson album film série tableau sculpture revue chronique"
    ),
    demonyms=listed(
        "français française anglais anglaise allemand allemande italien italienne espagnol bourguignons anglaises"
    ),
)
