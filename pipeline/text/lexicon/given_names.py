"""Common given names by gender, in the languages graphstrata meets most: evidence for "he" and "she", and that a word is a name.

Names borne by both genders are left out. Lower case, without accents folded away.
"""

from pipeline.text.lexicon.words import listed

MALE_NAMES = listed(
    """
    aaron abdul abdullah abel abraham adam adolf adrian ahmad ahmed akira alain alan albert aleksandr alessandro
    alexander alexandre alexei alfonso alfred ali allen alphonse amir anatoly anders andreas andrei andrew andré
    angelo anthony antoine anton antonio archibald aristide arnold arthur artur arturo august auguste augustus
    baldwin barry bartholomew basil benedict benito benjamin bernard bernhard bertrand bill bob boris brad brandon
    brian bruce bruno carl carlo carlos cecil cedric cesar charles christian christoph christophe christopher chuck
    clarence claudio clement clifford clive colin conrad constantine craig cyril daniel dave david denis dennis
    derek diego dieter dimitri dirk dmitri domenico dominic donald douglas duncan dwight earl edgar edmond edmund
    eduard eduardo edward edwin elliott elmer emil emilio emmanuel enrico enrique eric erich erik ernest ernst
    eugene fabio federico felix ferdinand fernando filippo francesco francisco francois frank franklin franz fred
    frederic frederick fredrik friedrich fritz fyodor gabriel gareth gary gaston gavin geoffrey georg george georges
    gerald gerard gerhard gilbert giles giorgio giovanni giuseppe gottfried graham greg gregory guido guillaume
    gunther gustav guy hans harald harold harry harvey hassan hector heinrich helmut henri henry herbert herman
    hermann hiroshi horace horst howard hubert hugh hugo humphrey hussein ian ibrahim igor isaac isaiah ivan jack
    jacob jacques jaime jakob james jan jared jason javier jeff jeffrey jeremy jerome jim joachim joaquin joel
    johann johannes john johnny jonas jonathan jorge josef joseph joshua josé juan jules julian julio julius jürgen
    karl kaspar keith ken kenji kenneth kevin klaus konrad konstantin kurt lambert lance larry lars laurence laurent
    lawrence leo leon leonard leonardo leopold lionel lloyd lorenzo louis luca lucas lucien ludwig luigi luis luke
    magnus malcolm manuel marc marcel marcello marco marcus mario mark martin marvin massimo matthew matthias
    maurice mauricio max maximilian michael michel miguel mikael mikhail mohamed mohammad mohammed mortimer moses
    muhammad nathan nathaniel ned neil nicholas nicola nicolas nigel niklas nikolai noah norman olaf oliver omar
    orson oscar oskar otto owen pablo paolo patrick paul pavel pedro percy peter phil philip philipp philippe pierre
    pietro pyotr rafael ralph ramon randall raoul raphael raymond reginald rené ricardo richard rob robert roberto
    rodrigo roger roland rolf roman ron ronald rudolf rudolph rupert russell salvador sam samuel scott sebastian
    serge sergei sergio seth sigismund sigmund simon stanley stefan stefano stephen steve steven stuart sven takashi
    ted terence theodor theodore thomas timothy toby todd tom tomas tommy tony umberto vasily victor viktor vincent
    vincenzo vittorio vladimir wallace walter warren wayne werner wilfred wilhelm will willem william wolfgang
    xavier yuri yusuf yves zachary александр алексей андрей борис василий виктор владимир генрих дмитрий евгений жан
    иван игорь карл константин лев людовик максим михаил николай олег павел петр пётр сергей степан филипп фридрих
    фёдор шарль юрий
    """
)
"""Given names of men."""

FEMALE_NAMES = listed(
    """
    abigail ada adela adelaide adele adriana agatha agnes aisha alessandra alexandra alice alicia alison amanda
    amelia amy ana anastasia andrea angela angelica anita anna annabel anne annette annie antonia audrey barbara
    beatrice beatrix becky belle berengaria bertha bessie bethany betty beverly blanche brenda bridget brigitte
    brittany camilla carla carmen carol carolina caroline catalina caterina catherine cathy cecilia chantal charlene
    charlotte cheryl chiara christina christine claire clara claudia colette constance cordelia cornelia cynthia
    daisy danielle daphne deborah deirdre delia denise diana diane dolores donna dora doris dorothea dorothy edith
    edna eileen elaine eleanor elena eleonora elisabeth elise elizabeth ella ellen eloise elsa elsie emilia emily
    emma erica ermengarde esmeralda estelle esther ethel eugenia eugénie eva evelyn fanny fatima fiona flora
    florence frances francesca françoise frida gabriela gabriella gabrielle geneviève georgia georgina geraldine
    gertrude gisela giulia gladys gloria grace greta gudrun gwendolyn hannah harriet hedwig heidi helen helena
    helene henrietta hilary hilda hildegard ida ilse ingeborg ingrid irene irina iris irma isabel isabella isabelle
    jacqueline jane janet janice jeanette jeanne jennifer jenny jessica jill joan joanna johanna josephine joyce
    juana judith judy julia juliana julie juliet justine karen karin karina kate katharina katharine katherine
    kathleen kathryn katja keiko kimberly kristen kristin kristina lakshmi larissa laura lauren leah leila lena
    leonora leticia lilian lily linda lisa lola lorraine louisa louise lucia lucie lucille lucinda lucrezia lucy
    ludmilla luisa lydia mabel madeleine madeline mae magdalena maggie malala manuela marcella margaret margarita
    margery margot marguerite maria marianne marie marilyn marina marion marjorie marlene martha martina mary
    mathilda mathilde matilda maud maureen mei melanie melissa mercedes meryl michelle michiko mildred minna minnie
    miranda miriam molly monica monique muriel myra myrtle nadia nadine nancy natalia natalie natasha nellie nicole
    nina nora norma octavia odette olga olive olivia ophelia pamela patricia paula pauline pearl penelope petra
    philippa phoebe phyllis pilar polly priscilla rachel ramona rebecca renata renée rita roberta rosa rosalind
    rosamund rose rosemary roxanne ruth sabine sally samantha sandra sara sarah selma sheila shirley sibylla silvia
    simone sofia sonia sonja sophia sophie stella stephanie susan susanna susanne suzanne svetlana sybil sylvia
    tamara tanya tatiana teresa theodora theresa tiffany tina trudy ulrike urraca ursula valentina valerie vanessa
    vera verena veronica victoria viola violet virginia viviane wanda wendy wilhelmina winifred yoko yolanda yvette
    yvonne zoe александра анастасия анна валентина вера галина дарья евгения екатерина елена елизавета жанна зоя
    ирина лидия людмила маргарита мария надежда наталья нина ольга раиса светлана софия софья татьяна юлия
    """
)
"""Given names of women."""
