// The languages a post can be written in. The codes are those of ISO 639-1, with a few of ISO 639-3 and written
// variants that clients offer.

import { madeOnce } from "../../../texts/translate.ts";

/** Codes of the languages that `GET /api/v1/instance/languages` lists, in its order. */
export const LANGUAGE_CODES: readonly string[] = `
  aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
  de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gu gv ha he hi ho hr ht hu hy hz ia
  id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
  lt lu lv mg mh mi mk ml mn mr ms ms-Arab mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os
  pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sn so sq sr ss st su sv sw ta te tg th
  ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu zh-CN zh-HK zh-TW
  zh-YUE ast chr ckb cnr csb jbo kab ldn lfn moh nds pdc sco sma smj szl tok vai xal zba zgh
`
  .trim()
  .split(/\s+/);

/** English names that differ from those of CLDR. */
const NAMES: Readonly<Record<string, string>> = {
  ab: "Abkhaz",
  bh: "Bihari",
  bn: "Bengali",
  cu: "Old Church Slavonic",
  ht: "Haitian",
  ii: "Nuosu",
  kj: "Kwanyama",
  ku: "Kurmanji (Kurdish)",
  "ms-Arab": "Jawi Malay",
  nd: "Northern Ndebele",
  nr: "Southern Ndebele",
  ny: "Chichewa",
  oj: "Ojibwe",
  or: "Oriya",
  os: "Ossetian",
  pi: "Pāli",
  rn: "Kirundi",
  tl: "Tagalog",
  to: "Tonga",
  tw: "Twi",
  "zh-HK": "Chinese (Hong Kong)",
  "zh-YUE": "Cantonese",
  ckb: "Sorani (Kurdish)",
  ldn: "Láadan",
  pdc: "Pennsylvania Dutch",
  zba: "Balaibalan",
};

/** Regional forms that are stored unchanged, though not listed; all others become the plain language. */
export const REGIONAL_LANGUAGES = [
  "en-GB",
  "es-AR",
  "es-MX",
  "fr-CA",
  "pt-BR",
  "pt-PT",
  "sr-Latn",
] as const;

/** Other codes of listed languages, in lower case. */
export const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  fil: "tl",
  kmr: "ku",
  yue: "zh-YUE",
  "zh-hans": "zh-CN",
  "zh-hant": "zh-TW",
  "zh-sg": "zh-CN",
  "zh-mo": "zh-HK",
};

const names = new Map<string, Intl.DisplayNames>();

/** Returns the name of a language in another, which is one of the interface. */
export const languageName = (code: string, language = "en"): string => {
  const make = () => new Intl.DisplayNames([language], { type: "language" });
  try {
    return madeOnce(names, language, make).of(code) ?? code;
  } catch {
    return code;
  }
};

/** Returns the English name of a listed language. */
export const listedName = (code: string): string => NAMES[code] ?? languageName(code);
