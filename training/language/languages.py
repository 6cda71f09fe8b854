"""The languages that are told apart, in ISO 639-1, and what other codes of the data mean."""
LANGUAGES = """ab af am ar as az ba be bg bn br bs ca cs cv cy da de dv ee el en eo es et eu fa fi fr fy ga gl gn gu ha he hi hr hu hy id ig is it
ja ka kk km kn ko ku ky la lg lo lt lv mi mk ml mn mr ms mt my nb ne nl nn om or pa pl pt rm ro ru rw sa si sk sl sn so sq sr st sv sw
ta te th ti tl tn tr ts tt ug uk ur uz vi wo xh yo zh zu""".split()

SAME = {
    "zh-HK": "zh", "zh-TW": "zh", "cmn_hant": "zh", "cmn_hans": "zh", "kmr": "ku", "rm-sursilv": "rm", "rm-vallader": "rm", "roh": "rm",
    "khm": "km", "kan": "kn", "lao": "lo", "mya": "my", "srp_latn": "sr", "srp_cyrl": "sr", "bos_latn": "bs", "hrv": "hr", "nno": "nn", "nob": "nb",
    "heb": "he", "lat": "la", "lat_1": "la", "mri": "mi", "mal": "ml", "mar": "mr", "nep": "ne", "slk": "sk", "slv": "sl", "sna": "sn", "som": "so",
    "als": "sq", "sot": "st", "tgl": "tl", "tsn": "tn", "xho": "xh", "afr": "af", "azj_latn": "az", "bre": "br", "gug": "gn", "mlt": "mt",
}

CYRILLIC = dict(zip("абвгдђежзијклљмнњопрстћуфхцчџш", "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()))


def latin(text: str) -> str:
    """Serbian in its Latin script."""
    return "".join(CYRILLIC.get(c, c) for c in text.lower())
