import type { LanguageTable } from "../types.ts";

export const JA: LanguageTable = {
  code: "ja",
  name: "Japanese",
  script: "Japanese",
  functionWords: "です ます ました ません は が を に で と の も から まで",
  numbers: {
    small: "〇|零|ゼロ 一 二 三 四 五 六 七 八 九 十",
    tens: "- - - - - - - -",
    powers: { 100: "百", 1000: "千" },
    and: "",
  },
  days: "本日|今日|今晩|今夜|明後日|あさって|明日|あした|来週(?:の@)?|来月",
  times: ["(?:午前|午後)?#時(?:#分|半)?", "正午|真夜中|午前中|午前|午後|夕方"],
  dates: ["#月#日"],
};
