import { language } from "./fit.ts";

/** Azure's speech recognition. */
export const AZURE_LANGUAGES = language(
  "af-ZA am-ET ar-AE ar-BH ar-DZ ar-EG ar-IL ar-IQ ar-JO ar-KW ar-LB ar-LY ar-MA ar-OM ar-PS ar-QA",
  "ar-SA ar-SY ar-TN ar-YE az-AZ bg-BG bn-IN bs-BA ca-ES cs-CZ cy-GB da-DK de-AT de-CH de-DE el-GR",
  "en-AU en-CA en-GB en-GH en-HK en-IE en-IN en-KE en-NG en-NZ en-PH en-SG en-TZ en-US en-ZA es-AR",
  "es-BO es-CL es-CO es-CR es-CU es-DO es-EC es-ES es-GQ es-GT es-HN es-MX es-NI es-PA es-PE es-PR",
  "es-PY es-SV es-US es-UY es-VE et-EE eu-ES fa-IR fi-FI fil-PH fr-BE fr-CA fr-CH fr-FR ga-IE gl-ES",
  "gu-IN he-IL hi-IN hr-HR hu-HU hy-AM id-ID is-IS it-CH it-IT ja-JP jv-ID ka-GE kk-KZ km-KH kn-IN",
  "ko-KR lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-MY mt-MT my-MM nb-NO ne-NP nl-BE nl-NL pa-IN",
  "pl-PL ps-AF pt-BR pt-PT ro-RO ru-RU si-LK sk-SK sl-SI so-SO sq-AL sr-RS sv-SE sw-KE sw-TZ ta-IN",
  "te-IN th-TH tr-TR uk-UA ur-IN uz-UZ vi-VN wuu-CN yue-CN zh-CN zh-CN-shandong zh-CN-sichuan zh-HK",
  "zh-TW zu-ZA",
);

/** Deepgram's; as Vapi's published document has them, which is ahead of the SDK here. */
export const DEEPGRAM_LANGUAGES = language(
  "ar az ba be bg bn br bs ca cs da da-DK de de-CH el en en-AU en-CA en-GB en-IE en-IN en-NZ en-US",
  "es es-419 es-LATAM et eu fa fi fr fr-CA ha haw he hi hi-Latn hr hu id is it ja jw kn ko ko-KR ln",
  "lt lv mk mr ms multi nl nl-BE no pl pt pt-BR pt-PT ro ru sk sl sn so sr su sv sv-SE ta taq te th",
  "th-TH tl tr tt uk ur vi yo zh zh-CN zh-HK zh-Hans zh-Hant zh-TW",
);

/** Every two-letter code of ISO 639-1: what most providers take. */
export const ISO_639_LANGUAGES = language(
  "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da",
  "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz",
  "ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln",
  "lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi",
  "pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti",
  "tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yue yo za zh zu",
);

/** Gladia's. */
export const GLADIA_LANGUAGES = language(
  "af sq am ar hy as az ba eu be bn bs br bg ca zh hr cs da nl en et fo fi fr gl ka de el gu ht ha",
  "haw he hi hu is id it ja jv kn kk km ko lo la lv ln lt lb mk mg ms ml mt mi mr mn my ne no nn oc",
  "ps fa pl pt pa ro ru sa sr sn sd si sk sl so es su sw sv tl tg ta tt te th bo tr tk uk ur uz vi",
  "cy yi yo",
);

/** Google's, by their English names. */
export const GOOGLE_LANGUAGES = language(
  "Multilingual Arabic Bengali Bulgarian Chinese Croatian Czech Danish Dutch English Estonian",
  "Finnish French German Greek Hebrew Hindi Hungarian Indonesian Italian Japanese Korean Latvian",
  "Lithuanian Norwegian Polish Portuguese Romanian Russian Serbian Slovak Slovenian Spanish Swahili",
  "Swedish Thai Turkish Ukrainian Vietnamese",
);

/** Speechmatics'. */
export const SPEECHMATICS_LANGUAGES = language(
  "auto ar ar_en ba eu be bn bg yue ca hr cs da nl en eo et fi fr gl de el he hi hu id ia ga it ja",
  "ko lv lt ms en_ms mt cmn cmn_en mr mn no fa pl pt ro ru sk sl es en_es sw sv tl ta en_ta th tr uk",
  "ur ug vi cy",
);

/** Talkscriber's. */
export const TALKSCRIBER_LANGUAGES = language(
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur",
  "hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si",
  "km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha",
  "ba jw su yue",
);

/** OpenAI's. */
export const OPENAI_LANGUAGES = language(
  "af ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ko lv lt",
  "mk ms mr mi ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy",
);
