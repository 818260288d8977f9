"""Bytes to text, in any encoding, and binary data apart."""

import codecs
import random
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.base.errors import InputError
from pipeline.documents.encoding import clean, decode

TEXTS = {
    "en": "It’s the town of Domrémy – “small” – and it cost £5.",
    "de": "Die Jungfrau führte die französischen Truppen; später wäre die Straße über Köln schöner. Äpfel, Größe.",
    "fr": "Jeanne naît à Domrémy, près de Vaucouleurs. Où était-elle ? Ça s’achève à Rouen, le cœur brisé.",
    "es": "¿Dónde murió Juana? Dirigió al ejército francés durante la guerra. Mañana habrá más información.",
    "pt": "Joana conduziu o exército francês a várias vitórias; não há dúvida. A condenação à fogueira.",
    "sv": "Hon ledde den franska armén till flera segrar och brändes på bål i Rouen. Hon är ett helgon.",
    "pl": "Joanna urodziła się w Domrémy. Święta Kościoła. Zażółć gęślą jaźń. Skazana na śmierć przez spalenie.",
    "cs": "Jana z Arku se narodila ve Francii. Příliš žluťoučký kůň úpěl ďábelské ódy. Vedla vojsko k řadě vítězství.",
    "hu": "Szent Johanna a százéves háborúban több győzelemre vezette a sereget. Árvíztűrő tükörfúrógép.",
    "tr": "Jeanne d'Arc köyünde doğdu. Yüz Yıl Savaşları sırasında orduya önderlik etti ve şehrinde öldürüldü.",
    "ru": "Жанна родилась в деревне Домреми. Она командовала войсками в Столетней войне и была казнена в Руане.",
    "uk": "Жанна народилася в селі Домремі. Вона очолювала війська у Столітній війні. Її життя і страта в Руані.",
    "ar": "ولدت جان دارك في قرية دومريمي، وقادت الجيش الفرنسي إلى عدة انتصارات مهمة خلال حرب المئة عام.",
    "he": "ז'אן ד'ארק נולדה בכפר דומרמי. היא הובילה את צבא צרפת לניצחונות במלחמת מאה השנים.",
    "el": "Η Ζαν γεννήθηκε στο Ντομρεμί. Οδήγησε τον γαλλικό στρατό σε σημαντικές νίκες.",
    "ja": "ジャンヌ・ダルクはドンレミ村に生まれた。百年戦争でフランス軍を率いて勝利した。",
    "zh": "贞德出生于法国东北部的一个小村庄。她在百年战争中率领法国军队取得胜利。",
    "tw": "貞德出生於法國東北部的一個小村莊。她在百年戰爭中率領法國軍隊取得勝利。",
    "ko": "잔 다르크는 프랑스 동레미 마을에서 태어났다. 백년전쟁에서 군대를 이끌고 승리하였다.",
}
LEGACY = [
    *[(name, "cp1252") for name in ("en", "de", "fr", "es", "pt", "sv")],
    *[(name, encoding) for name in ("pl", "cs", "hu") for encoding in ("cp1250", "iso8859-2")],
    *[("de", encoding) for encoding in ("mac-roman", "cp850")],
    ("tr", "cp1254"),
    *[("ru", encoding) for encoding in ("cp1251", "koi8-r", "cp866", "iso8859-5")],
    *[("uk", "cp1251"), ("ar", "cp1256"), ("he", "cp1255"), ("el", "cp1253")],
    *[("ja", "shift_jis"), ("ja", "euc_jp"), ("ja", "iso2022_jp"), ("zh", "gb18030"), ("tw", "big5"), ("ko", "euc_kr")],
]


@pytest.mark.parametrize(("name", "encoding"), LEGACY)
@pytest.mark.parametrize("times", [1, 40])
def test_a_legacy_encoding_is_found_from_a_sentence_on(name: str, encoding: str, times: int) -> None:
    data = (TEXTS[name] * times).encode(encoding)
    decoded = decode(data)
    assert decoded.text == data.decode(encoding)
    assert not decoded.lossy


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
def test_unicode_is_found_with_and_without_a_mark(name: str, encoding: str) -> None:
    decoded = decode(TEXTS[name].encode(encoding))
    assert (decoded.text, decoded.lossy) == (TEXTS[name], False)
    assert decoded.encoding.startswith("utf-")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
@settings(deadline=None)
def test_utf8_comes_back_as_it_was_line_ends_included(text: str) -> None:
    text = text.removeprefix("\ufeff") + "\r\n\n\r x"
    assert decode(text.encode()) == decode(codecs.BOM_UTF8 + text.encode())
    assert decode(text.encode()).text == text


@given(st.binary(max_size=3000))
@settings(deadline=None)
def test_any_bytes_are_decoded_or_refused_and_always_alike(data: bytes) -> None:
    try:
        decoded = decode(data)
    except InputError as error:
        assert error.found.startswith("binary")
        return
    assert decode(data) == decoded
    decoded.text.encode("utf-8")
    assert "\0" not in decoded.text


def test_a_few_broken_bytes_in_utf8_are_replaced_and_noted() -> None:
    data = (TEXTS["ru"] * 20).encode() + b"\xff\xfe" + TEXTS["ru"].encode()[:-1] + b"\xd0"
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.lossy
    assert decoded.text.count("\ufffd") <= 4


def test_a_few_nul_characters_are_replaced_one_for_one_and_noted() -> None:
    decoded = decode(b"some text\0with a hole in it, " + b"and much more text " * 50)
    assert decoded.text.startswith("some text\ufffdwith")
    assert decoded.lossy


def test_what_comes_late_in_a_long_file_is_seen() -> None:
    text = "plain words without accents. " * 20_000 + TEXTS["fr"]
    assert decode(text.encode("cp1252")).text == text


def test_a_long_line_of_chinese_is_not_cut_inside_a_character_by_the_sample() -> None:
    text = TEXTS["zh"].replace("。", "") * 2000
    for shift in ("", "a"):
        assert decode((shift + text).encode("gb18030")).text == shift + text


def test_an_encoding_that_the_file_declares_goes_before_guessing() -> None:
    assert decode("Å".encode("cp850"), "cp850").text == "Å"
    assert decode("“Ça va”, é".encode("cp1252"), "iso-8859-1").text == "“Ça va”, é"
    for nonsense in ("rot13", "zlib", "no-such", "utf-16"):
        assert decode("Ein schönes Märchen".encode("cp1252"), nonsense).text == "Ein schönes Märchen"
    assert decode("schön".encode(), "cp1252").text == "schön"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + b"x" * 50,
        b"PK\x03\x04 and so on",
        b"%PDF-1.7 text",
        b"\x7fELF" + bytes(60),
        b"{\\rtf1 words}",
        zlib.compress(random.Random(1).randbytes(5000)),
        random.Random(2).randbytes(5000),
        struct.pack("<400d", *[n / 7 for n in range(400)]),
        struct.pack("<900i", *range(900)),
        bytes(1000),
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="binary"):
        decode(data)


@pytest.mark.parametrize("word", ["ID3", "RIFF", "PAR1", "GIF89a", "BZh", "fLaC", "%PDF-"])
def test_a_text_may_begin_with_the_word_that_marks_binary_files(word: str) -> None:
    assert decode(f"{word} is how some files begin.".encode()).text.startswith(word)
    if word.isalnum():
        with pytest.raises(InputError, match="binary"):
            decode(f"{word}\0\x03".encode() + b"words" * 100)


def test_clean_replaces_what_no_table_can_hold() -> None:
    assert clean("a\0b\ud800c") == ("a\ufffdb\ufffdc", 2)
    assert clean("as it is 😀") == ("as it is 😀", 0)
