"""Names of places that need no cue: continents, countries, regions and large cities, in English and some as they call themselves."""

from typing import Final

_LISTED: Final = """
Africa, America, Antarctica, Asia, Australia, Europe, Oceania, North America, South America, Central America, Latin
America, Middle East, Far East, Scandinavia, Balkans, Caribbean, Mediterranean, Atlantic, Pacific, Arctic, Sahara,
Himalayas, Alps, Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Austria, Azerbaijan, Bahamas,
Bahrain, Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia, Botswana, Brazil, Britain,
Great Britain, Bulgaria, Burma, Burundi, Cambodia, Cameroon, Canada, Chad, Chile, China, Colombia, Congo, Costa
Rica, Croatia, Cuba, Cyprus, Czechia, Czechoslovakia, Denmark, Ecuador, Egypt, El Salvador, England, Eritrea,
Estonia, Ethiopia, Fiji, Finland, France, Gabon, Gambia, Germany, East Germany, West Germany, Ghana, Greece,
Greenland, Guatemala, Guinea, Guyana, Haiti, Honduras, Hong Kong, Hungary, Iceland, India, Indonesia, Iran, Iraq,
Ireland, Northern Ireland, Israel, Italy, Ivory Coast, Jamaica, Japan, Kazakhstan, Kenya, Korea, North Korea, South
Korea, Kosovo, Kuwait, Kyrgyzstan, Laos, Latvia, Lebanon, Liberia, Libya, Liechtenstein, Lithuania, Luxembourg,
Macedonia, Madagascar, Malawi, Malaysia, Mali, Malta, Mauritius, Mexico, Moldova, Monaco, Mongolia, Montenegro,
Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua, Niger, Nigeria, Norway, Oman,
Pakistan, Palestine, Panama, Paraguay, Persia, Peru, Philippines, Poland, Portugal, Prussia, Puerto Rico, Qatar,
Romania, Russia, Rwanda, Samoa, Saudi Arabia, Scotland, Senegal, Serbia, Sierra Leone, Singapore, Slovakia,
Slovenia, Somalia, South Africa, Soviet Union, Spain, Sri Lanka, Sudan, Suriname, Sweden, Switzerland, Syria,
Taiwan, Tanzania, Thailand, Tibet, Togo, Tunisia, Turkey, Uganda, Ukraine, United Kingdom, UK, United States, USA,
U.S., U.K., Uruguay, Uzbekistan, Vatican, Venezuela, Vietnam, Wales, Yemen, Yugoslavia, Zambia, Zimbabwe, Alabama,
Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Georgia, Hawaii, Idaho, Illinois,
Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi,
Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North Carolina, North Dakota,
Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont,
West Virginia, Wisconsin, Wyoming, Ontario, Quebec, British Columbia, Alberta, Manitoba, Nova Scotia, New South
Wales, Queensland, Tasmania, Alsace, Andalusia, Anjou, Aquitaine, Aragon, Bavaria, Bohemia, Brabant, Brittany,
Burgundy, Castile, Catalonia, Champagne, Cornwall, Flanders, Galicia, Gascony, Hesse, Holland, Kent, Lombardy,
Lorraine, Moravia, Navarre, Normandy, Picardy, Piedmont, Poitou, Provence, Saxony, Savoy, Sicily, Silesia, Swabia,
Thuringia, Transylvania, Tuscany, Tyrol, Westphalia, Yorkshire, Bengal, Punjab, Kerala, Gujarat, Tamil Nadu,
Kashmir, Siberia, Crimea, Amsterdam, Antwerp, Athens, Atlanta, Auckland, Baghdad, Baltimore, Bangkok, Barcelona,
Basel, Beijing, Beirut, Belfast, Belgrade, Berlin, Bern, Bordeaux, Boston, Bristol, Brooklyn, Brussels, Bucharest,
Budapest, Buenos Aires, Cairo, Calais, Calcutta, Cambridge, Cape Town, Chicago, Cleveland, Cologne, Constantinople,
Copenhagen, Dallas, Damascus, Delhi, New Delhi, Denver, Detroit, Dresden, Dubai, Dublin, Edinburgh, Frankfurt,
Geneva, Genoa, Ghent, Glasgow, Hamburg, Hanoi, Havana, Helsinki, Hiroshima, Hollywood, Houston, Istanbul, Jakarta,
Jerusalem, Johannesburg, Kiev, Kyiv, Kyoto, Lagos, Leipzig, Lima, Lisbon, Liverpool, London, Los Angeles, Lyon,
Madrid, Manchester, Manhattan, Manila, Marseille, Melbourne, Mexico City, Miami, Milan, Montreal, Moscow, Mumbai,
Bombay, Munich, Nairobi, Naples, Nashville, New Orleans, New York City, Nice, Nuremberg, Oakland, Orléans, Orleans,
Osaka, Oslo, Ottawa, Oxford, Palermo, Paris, Philadelphia, Pisa, Portland, Prague, Reims, Rheims, Riga, Rio de
Janeiro, Rome, Rotterdam, Rouen, Salzburg, San Diego, San Francisco, San Jose, Santiago, São Paulo, Seattle, Seoul,
Seville, Shanghai, Silicon Valley, Sofia, St. Louis, Saint Petersburg, St. Petersburg, Stockholm, Strasbourg,
Stuttgart, Sydney, Tehran, Tel Aviv, Tokyo, Toronto, Toulouse, Turin, Valencia, Vancouver, Venice, Verona, Vienna,
Warsaw, Washington, Washington DC, Washington D.C., Westminster, Zurich, Zürich, Yokohama, Deutschland, Österreich,
Schweiz, Frankreich, Spanien, Italien, Großbritannien, Niederlande, Belgien, Dänemark, Schweden, Norwegen, Finnland,
Polen, Russland, Ungarn, Griechenland, Türkei, Vereinigte Staaten, Europa, Asien, Afrika, Amerika, München, Köln,
Wien, Mailand, Rom, Neapel, Venedig, Moskau, Warschau, Prag, Lothringen, Burgund, Bayern, Allemagne, Angleterre,
Autriche, Belgique, Espagne, États-Unis, Grèce, Italie, Pologne, Pays-Bas, Royaume-Uni, Russie, Suède, Suisse,
Turquie, Asie, Afrique, Amérique, Londres, Moscou, Vienne, Bourgogne, Bretagne, Normandie, Alemania, Inglaterra,
España, Francia, Italia, Estados Unidos, Reino Unido, Grecia, Rusia, Suecia, Suiza, Turquía, México, Perú, Brasil,
Roma, Moscú, Viena, Sevilla, Castilla, Aragón, Россия, Франция, Франции, Англия, Англии, Германия, Германии,
Испания, Италия, Польша, Украина, США, Европа, Азия, Африка, Америка, Москва, Москве, Лондон, Лондоне, Париж,
Париже, Берлин, Рим, Вена, Орлеан, Реймс, Руан, Бургундия
"""

PLACES: Final = frozenset(" ".join(name.split()).lower() for name in _LISTED.split(","))
"""Lower case."""
