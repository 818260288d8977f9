"""English: function words, frequent verbs, general words, and the nouns that tell people, places, organisations and events."""

from pipeline.text.lexicon.words import Words, listed

_DETERMINERS = listed(
    "the a an this these those my your his her its our their whose some any no every each either neither another"
    " few several many own same two three four five six seven eight nine ten eleven twelve twenty"
    " hundred thousand million billion dozen first second third fourth fifth sixth seventh eighth ninth tenth other certain"
    " various numerous thy thine last next"
)

_FUNCTION = _DETERMINERS | listed(
    "that such both all much most one i you he she it we they me him us them mine yours hers ours theirs myself yourself himself herself itself ourselves"
    " yourselves themselves oneself who whom which what whatever whoever whichever someone somebody something anyone anybody"
    " anything everyone everybody everything nobody nothing none thou thee ye none others ones"
    " of in on at by for with from to into onto upon about above across after against along amid among amongst around as"
    " before behind below beneath beside besides between beyond but concerning despite down during except inside like near"
    " off out outside over past per regarding round since than through throughout till toward towards under underneath"
    " unlike until up versus via within without worth aboard atop opposite"
    " and or nor so yet if unless because although though while whilst whereas whether when whenever where wherever why how"
    " once lest else otherwise therefore thus hence however moreover furthermore nevertheless nonetheless meanwhile instead"
    " whereat whence whither thither hither thence wherefore thereby thereof therein thereupon whereupon whereby herein hereby hereafter thereafter"
    " am is are was were be been being do does did doing done have has had having will would shall should can could may"
    " might must ought need dare used cannot let lets gonna gotta wanna get gets got getting gotten"
    " don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't shan't shouldn't can't couldn't"
    " mustn't mightn't needn't ain't let's that's it's he's she's what's who's where's there's here's how's i'm i've i'd i'll"
    " you're you've you'd you'll we're we've we'd we'll they're they've they'd they'll he'd he'll she'd she'll it'll it'd"
    " there'd there'll that'd that'll who'd who'll what'll tis twas don doesn didn isn aren wasn weren haven hasn hadn wouldn"
    " shouldn couldn ll ve re"
    " not never ever always often sometimes seldom rarely usually again already also almost just only even still too very"
    " quite rather really perhaps maybe indeed certainly surely probably possibly actually basically literally obviously"
    " simply merely nearly hardly scarcely barely soon now then here there today tomorrow yesterday tonight ago away back"
    " forth forward together apart aside ahead early late later latter former formerly recently lately long far further"
    " farther well better best worse worst more less least enough pretty somewhat anyhow anyway somehow somewhere anywhere"
    " everywhere nowhere elsewhere afterwards afterward eventually finally initially originally especially particularly"
    " generally specifically currently previously subsequently approximately exactly directly immediately suddenly quickly"
    " slowly newly mostly mainly partly largely highly fully totally completely entirely absolutely definitely clearly"
    " oh ah o aye ay nay yes yeah yep nope no ok okay hello hi hey goodbye bye please thanks thank sorry alas hallo hush"
    " hurrah bah ha hum um uh hmm huh wow gosh ugh aha lo right sure great cool awesome fine true exactly dear welcome"
    " etc eg ie vs viz ibid cf al"
    " zero half twice thrice forty thirty fifty sixty seventy eighty ninety thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen thousands hundreds millions billions thirds"
    " according due thanks including included based given regardless along alongside plus minus times"
    " chapter section appendix figure table page volume preface introduction contents index note notes footnote footnotes"
    " references bibliography acknowledgements abstract summary conclusion overview copyright isbn url http https www"
)

# Forms that are hardly ever nouns; regular forms in -ed and -ly need no list.
_VERBS = listed(
    "go goes went gone going come comes came coming take takes took taken taking make makes made making give gives gave given"
    " giving say says said saying know knows knew known knowing think thinks thought thinking see sees saw seen seeing want"
    " wants become becomes became becoming seem seems seemed tell tells told telling ask asks asking keep keeps kept keeping"
    " begin begins began begun bring brings brought bringing happen happens write writes wrote written provide provides sit"
    " sits sat sitting stand stands stood lose loses lost losing pay pays paid meet meets met include includes continue"
    " continues learn learns learnt lead leads led understand understands understood follow follows create creates speak"
    " speaks spoke spoken allow allows add adds spend spends spent grow grows grew grown win wins won teach teaches taught"
    " remember remembers consider considers appear appears buy buys bought serve serves send sends sent expect expects build"
    " builds built fall falls fell fallen reach reaches remain remains suggest suggests require requires decide decides"
    " believe believes develop develops carry carries lie lies lay lain hear hears heard hearing hold holds held let lets"
    " mean means meant put puts set sets run runs ran running feel feels felt find finds found finding try tries leave leaves"
    " left call calls live lives lived show shows shown showed play plays move moves like likes look looks looking use uses turn"
    " turns start starts help helps talk talks work works love loves hope hopes die dies kill kills cut cuts raise raises"
    " pass passes sell sells sold arise arises arose forget forgets forgot forgotten throw throws threw thrown catch catches"
    " caught draw draws drew drawn choose chooses chose chosen drive drives drove driven eat eats ate eaten fly flies flew"
    " flown rise rises rose risen sing sings sang sung wear wears wore worn break breaks broke broken shake shakes shook"
    " shaken sleep sleeps slept bear bears bore borne born hide hides hid hidden ring rang rung spread spreads strike strikes"
    " struck swear swears swore sworn sweep sweeps swept swim swims swam tear tears tore torn wake wakes woke woken weep weeps"
    " wept shine shines shone shoot shoots shot shut shuts sink sinks sank sunk spring springs sprang sprung steal steals"
    " stole stolen stick sticks stuck bind binds bound bend bends bent blow blows blew blown burn burns burnt creep creeps"
    " crept deal deals dealt dig digs dug fight fights fought forgive forgives forgave forbid forbade hang hangs hung hit hits"
    " hurt hurts kneel kneels knelt lend lends lent light lit quit rid seek seeks sought slide slides slid smell smelt spin"
    " spins spun split splits swing swings swung wind winds wound contain contains describe describes explain explains"
    " involve involves enjoy enjoys agree agrees depend depends exist exists intend intends prefer prefers refer refers"
    " represent represents receive receives return returns reply replies replied cry cries cried cause causes wish wishes"
    " marry marries ensure ensures prove proves proven realize realizes recognize recognizes replace replaces thank thanks"
    " ain't beg begs dwell dwells dwelt flee flees fled fling flings flung leap leaps leapt overcome overtake withdraw"
    " withdraws withdrew withdrawn undertake undertook undergo underwent succeed succeeds attend attends behold beheld"
    " star stars starred feature features featured direct directs concern concerns"
)

_ADJECTIVES = listed(
    "good better best bad worse worst great greater greatest big bigger biggest large larger largest small smaller smallest"
    " little long longer longest short shorter high higher highest low lower lowest old older oldest elder eldest new newer"
    " newest young younger youngest early late recent modern ancient current previous former following final whole entire full"
    " empty real true false right wrong different similar same other main major minor general common special particular"
    " important possible impossible likely able unable available certain sure clear simple easy hard difficult strong weak"
    " hot cold warm cool dark light bright black white red blue green yellow brown grey gray golden happy sad glad sorry merry"
    " poor rich dear beautiful pretty lovely ugly nice fine pleasant kind gentle cheerful quiet loud silent soft rough smooth"
    " heavy thin thick wide broad narrow deep open close closed near far free busy ready quick slow fast sudden strange odd"
    " curious usual unusual normal ordinary perfect pure mere very single double only own alone dead alive living sick ill"
    " healthy dry wet fresh clean dirty sharp cruel brave wild wise foolish stupid clever smart crazy weird funny serious"
    " interesting amazing incredible awesome wonderful terrible horrible awful fantastic super huge tiny enormous giant vast"
    " immense extreme total complete absolute exact natural human physical mental social personal public private local"
    " national international global foreign domestic political economic financial legal medical technical popular famous"
    " original key central basic fundamental essential necessary useful effective successful positive negative active average"
    " additional extra further multiple numerous various several many few first last next second third upper inner outer top"
    " bottom middle left best-known well-known so-called present past future much more most less least enough fellow worthy"
    " unique brand big-time solid tremendous total whole bit crucial critical capable aware afraid worth like such"
    " angry tired hungry calm proud lucky lonely bitter sweet tall round square flat steep bare blind deaf dumb"
    " appropriate specific significant considerable relevant complex complicated obvious individual overall potential"
)

_GENERIC = listed(
    "thing things way ways time times day days year years month months week weeks hour hours minute minutes second seconds"
    " moment moments while today people person kind kinds sort sorts type types lot lots bit bits part parts piece pieces"
    " side sides end ends beginning start top bottom middle front back rest place places point points case cases fact facts"
    " matter matters reason reasons cause causes result results effect effects question questions answer answers problem"
    " problems idea ideas word words name names number numbers amount amounts order example examples instance instances form"
    " forms level levels area areas line lines set sets group groups pair couple series degree extent manner means method"
    " methods process use uses sense mind thought thoughts feeling feelings care view views look looks sight eye eyes hand"
    " hands head heads face faces heart hearts foot feet arm arms leg legs finger fingers hair ear ears mouth lip lips voice"
    " voices back body bodies shoulder shoulders knee knees breath tear tears smile smiles laugh laughter tone step steps"
    " turn turns chance chances doubt hope fear wish desire pleasure delight surprise interest attention notice respect"
    " regard account condition conditions state states situation position aspect aspects subject subjects object objects"
    " detail details purpose purposes value values quality size shape length height width weight colour color sound sounds"
    " noise air life lives world self nature power force effort efforts attempt attempts action actions act acts"
    " activity activities change changes difference differences chance stuff guy guys folk folks fellow fellows everybody"
    " yes no half third quarter majority list lists kinda bunch ton tons handful deal good bad sake spite favor favour"
    " course instead addition term terms use advance stage stages amount range variety item items version versions copy"
    " experience experiences conversation conversations opportunity opportunities story stories job work works thinking"
    " talking perspective context sentence statement issue issues topic topics ability abilities need needs want wants"
    " morning afternoon evening night nights date dates age ages century centuries decade decades period periods season"
    " direction distance corner edge edges hole minute presence absence existence appearance manner mood temper spirits"
    " help support role roles member members lack loss gain success failure mistake mistakes trouble difficulty"
    " anybody anyone someone something nothing everything none dear sir madam ladies gentlemen guess thanks please welcome"
    " glance glimpse pause touch push pull kick stop go try shot run walk talk call cry shout whisper sigh nod bow"
)

_CALENDAR = listed(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
    " january february march april may june july august september october november december jan feb mar apr jun jul aug sep"
    " sept oct nov dec mon tue tues wed thu thur thurs fri sat sun bc ad bce ce am pm est pst gmt utc eur usd gbp chf jpy euro euros"
)

_MASCULINE = listed(
    "mr sir lord king prince duke count earl baron viscount marquess emperor uncle father brother master don signor monsieur"
    " herr señor padre fray dom sheikh sultan tsar czar gentleman grandfather grandpa"
)
_FEMININE = listed(
    "mrs ms miss lady queen princess duchess countess baroness viscountess marchioness empress aunt mother sister madam"
    " madame mme mlle mademoiselle señora señorita donna doña frau fräulein dame tsarina grandmother grandma"
)
_HONORIFICS = listed(
    "dr prof professor doctor st saint pope bishop archbishop cardinal rabbi imam reverend rev hon honourable president"
    " chancellor minister premier senator governor mayor judge justice general gen colonel col major maj captain capt"
    " lieutenant lt sergeant sgt corporal commander cmdr admiral marshal private inspector detective officer chief"
    " congressman congresswoman representative rep ambassador secretary chairman director coach messrs abbot friar deacon"
    " constable knight margrave landgrave elector archduke archduchess regent dauphin khan shah caliph emir"
)

_SPEECH = listed(
    "said says asked asks replied replies cried cries answered answers told tells exclaimed whispered shouted murmured"
    " muttered returned observed remarked added continued laughed smiled nodded sighed screamed sobbed wept thought thinks"
    " believed believes wrote writes argued argues claimed claims stated states explained explains noted notes declared"
    " announced admitted insisted suggested recalled spoke speaks was born died married lived knew felt wanted loved hated"
    " who whose himself herself resigned testified"
)

_PERSON = listed(
    "man woman boy girl child baby infant kid youth teenager adult gentleman lady lord king queen prince princess duke"
    " duchess count countess earl baron knight squire emperor empress monarch ruler sovereign regent heir nobleman noble"
    " president minister chancellor governor mayor senator deputy ambassador diplomat secretary councillor alderman politician"
    " statesman leader chief chairman director manager boss employer employee worker labourer laborer servant maid"
    " butler cook porter footman coachman groom gardener nurse housekeeper steward page"
    " governess tutor teacher schoolmaster headmaster professor lecturer student pupil scholar apprentice graduate"
    " clerk accountant banker lawyer attorney barrister solicitor judge juror magistrate notary sheriff constable policeman"
    " officer detective inspector guard guardian soldier sailor captain general colonel major lieutenant sergeant corporal"
    " commander admiral marshal archer gunner mercenary warrior fighter veteran spy scout rebel"
    " doctor physician surgeon dentist pharmacist patient scientist researcher engineer inventor programmer developer"
    " designer architect mathematician physicist chemist biologist astronomer economist historian philosopher psychologist"
    " linguist anthropologist sociologist neuroscientist technologist entrepreneur founder investor consultant analyst"
    " artist painter sculptor musician composer singer dancer actor actress poet writer author novelist playwright journalist"
    " editor publisher reporter critic filmmaker screenwriter producer conductor drummer pianist photographer"
    " baker butcher brewer grocer tailor shoemaker cobbler blacksmith carpenter mason miller weaver potter barber"
    " shopkeeper merchant trader dealer pedlar innkeeper"
    " landlord landlady tenant farmer peasant shepherd fisherman hunter miner ploughman postman driver pilot"
    " pirate thief robber beggar murderer criminal prisoner convict victim witness slave captive"
    " father mother parent son daughter brother sister sibling twin husband wife spouse widow widower bride uncle aunt nephew"
    " niece cousin grandfather grandmother grandson granddaughter grandchild ancestor descendant orphan stepfather stepmother"
    " friend enemy neighbour neighbor companion colleague partner ally rival guest visitor host hostess stranger customer"
    " client passenger traveller traveler immigrant refugee citizen inhabitant resident villager townsman"
    " pope cardinal bishop archbishop abbot abbess priest parson vicar curate deacon monk nun friar preacher missionary saint"
    " martyr prophet apostle pilgrim hermit heretic witch wizard god goddess angel devil demon ghost spirit"
    " giant dwarf fairy monster hero heroine champion winner player athlete footballer coach referee"
    " volunteer member speaker listener reader owner holder user expert amateur genius fool beggar housewife maiden"
    " businessman businesswoman salesman fireman spokesman craftsman seaman horseman huntsman nobility clergy folk crew"
    " follower disciple supporter believer agent messenger herald envoy interpreter translator narrator"
    " crowd audience congregation peasantry mob people"
)

_PLACE = listed(
    "city town village hamlet borough suburb district quarter neighbourhood neighborhood county province region state nation"
    " country kingdom empire duchy colony territory republic continent island peninsula mountain hill valley plain plateau"
    " desert forest wood jungle heath marsh swamp meadow field farm garden park orchard vineyard river stream creek brook"
    " canal lake pond sea ocean bay gulf strait coast shore beach harbour harbor port dock quay cape cliff cave glacier volcano"
    " street road lane avenue alley square court courtyard yard market marketplace bridge tunnel gate gateway wall tower"
    " castle palace mansion manor fortress fort citadel dungeon prison jail barracks camp battlefield frontier border"
    " house home cottage hut cabin lodge villa apartment flat dwelling building block skyscraper"
    " room bedroom chamber parlour parlor kitchen hall dining-room sitting-room drawing-room bathroom nursery study library"
    " attic garret cellar basement closet cupboard corridor passage staircase stair stairs doorway door window"
    " fireplace hearth chimney roof ceiling floor balcony porch"
    " church cathedral chapel abbey monastery convent temple mosque synagogue shrine cemetery graveyard grave tomb"
    " school university college academy classroom laboratory lab workshop factory mill mine warehouse shop store"
    " office bank inn tavern pub hotel restaurant cafe café theatre theater cinema museum gallery stadium arena"
    " hospital clinic asylum courthouse station airport railway lighthouse ship boat stable barn shed"
    " den refuge shelter campus headquarters capital metropolis birthplace homeland world earth planet moon"
    " universe heaven hell west east north south pole equator highway motorway crossroads playground"
)

_ORGANIZATION = listed(
    "company corporation firm business enterprise startup start-up bank union association society club league federation"
    " foundation institute institution charity committee commission council board cabinet parliament congress senate assembly"
    " government ministry department agency bureau authority administration army navy fleet troop troops regiment battalion"
    " garrison militia police force party movement organisation organization alliance coalition order brotherhood guild"
    " school university college academy church court tribunal jury press newspaper magazine network studio label orchestra"
    " choir band ensemble team crew family dynasty tribe clan household nation monarchy nobility clergy establishment"
    " inquisition legion cavalry infantry artillery industry market publisher laboratory museum hospital exchange"
)

_EVENT = listed(
    "war battle siege campaign raid attack invasion conquest crusade revolution revolt rebellion uprising mutiny coup massacre"
    " riot strike truce armistice treaty peace surrender coronation wedding marriage funeral burial birth death baptism"
    " christening birthday anniversary celebration ceremony festival feast fair party ball dance concert performance parade"
    " procession banquet dinner supper breakfast holiday christmas easter election referendum trial execution inquest hearing"
    " verdict conference congress summit meeting council session debate expedition voyage journey pilgrimage trip mission"
    " launch race tournament championship match game season olympics cup earthquake flood fire storm famine plague epidemic"
    " pandemic crisis crash accident disaster explosion assassination murder kidnapping robbery arrest escape rescue"
    " discovery premiere debut release merger acquisition relief defeat victory fall abdication succession reformation"
    " renaissance lecture visit"
)

_WORK = listed(
    "book novel story tale poem play drama tragedy comedy opera symphony song hymn carol ballad album single film movie"
    " documentary series sitcom show episode musical painting portrait sculpture statue essay article paper treatise report"
    " journal magazine newspaper dictionary encyclopedia bible scripture gospel psalm chronicle memoir biography"
    " autobiography diary trilogy sequel soundtrack videogame manga anime podcast"
)

_DEMONYMS = listed(
    "english british scottish welsh irish french german austrian swiss italian spanish portuguese dutch flemish belgian danish"
    " swedish norwegian finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian"
    " serbian croatian bosnian albanian american canadian mexican brazilian argentine argentinian chilean peruvian colombian"
    " venezuelan cuban african egyptian moroccan nigerian ethiopian kenyan israeli jewish arab arabic persian iranian iraqi"
    " syrian lebanese indian pakistani bengali tamil hindi telugu malayalam punjabi chinese japanese korean vietnamese thai"
    " indonesian filipino australian european asian latin roman christian muslim islamic catholic protestant orthodox"
    " buddhist hindu norman saxon burgundian breton gascon castilian catalan bavarian prussian soviet byzantine ottoman"
    " medieval victorian western eastern northern southern"
)

ENGLISH = Words(
    function=_FUNCTION,
    determiners=_DETERMINERS,
    verbs=_VERBS,
    adjectives=_ADJECTIVES,
    generic=_GENERIC,
    connectors=listed("of the for on and"),
    masculine=_MASCULINE,
    feminine=_FEMININE,
    honorifics=_HONORIFICS,
    places_after=listed("in near into towards toward through across outside around via throughout"),
    bodies_after=listed("at joined founded joining founding"),
    verb_cues=listed(
        "to i you he she it we they who which that will would shall should can could may might must let lets let's i'll you'll"
        " we'll they'll he'll she'll it'll don't doesn't didn't can't couldn't won't wouldn't shouldn't cannot not i'd we'd you'd"
        " they'd he'd she'd"
    ),
    speech=_SPEECH,
    calendar=_CALENDAR,
    person=_PERSON,
    place=_PLACE,
    organization=_ORGANIZATION,
    event=_EVENT,
    work=_WORK,
    demonyms=_DEMONYMS,
)
