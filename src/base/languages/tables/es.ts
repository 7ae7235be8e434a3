import type { LanguageTable } from "../types.ts";

export const ES: LanguageTable = {
  code: "es",
  name: "Spanish",
  script: "Latin",
  functionWords:
    "el la los las un una unos unas y o pero es son era fue ser soy está están estoy estar he ha han hay tengo tiene tienen tener puedo puede pueden podría quiero quiere quisiera debe no sí si yo tú usted ustedes él ella nosotros ellos ellas me te se le les lo nos mi mis tu tus su sus nuestro nuestra este esta estos estas ese esa eso esto aquel que qué quién cuándo cuándo dónde cómo cuál cuánto cuántas cuántos por porque para con sin de del a al en sobre entre desde hasta según hola buenos buenas días tardes noches gracias muchas adiós hasta luego favor vale muy más menos también ya aquí ahí todo todos toda otra otro otras otros nada algo cada entonces hacer decir gustaría dígame diga pregunte ayudarle quería necesito llamo",
  letters: "ñ¿¡",
  numbers: {
    small:
      "cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno|veintiún|veintiuna veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
    tens: "- treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    powers: { 100: "cien|ciento", 1000: "mil" },
    hundreds: "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    and: "y",
  },
  days: "hoy|esta noche|esta tarde|pasado mañana|(?<!(?:la|de|buena) )mañana(?: por la (?:mañana|tarde|noche))?|la semana que viene|la próxima semana|el mes que viene",
  times: [
    "(?:a|sobre|hacia|para|de|desde) las? #(?: y (?:media|cuarto|#))?",
    "# ?(?:horas|h)",
    "mediodía|medianoche|por la (?:mañana|tarde|noche)",
  ],
  dates: ["(?:#|primero) de @"],
};
