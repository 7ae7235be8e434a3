import type { LanguageTable } from "../types.ts";

export const PT: LanguageTable = {
  code: "pt",
  name: "Portuguese",
  script: "Latin",
  functionWords:
    "o a os as um uma uns umas e ou mas é são era foi ser sou está estão estou estar tem têm tenho ter há posso pode podem poderia quero quer queria gostaria deve não sim eu tu você vocês ele ela nós eles elas me te se lhe lhes meu minha meus minhas seu sua seus suas nosso nossa este esta isto esse essa isso aquele que quem quando onde como qual quais quanto quantas quantos porque por para com sem de do da dos das em no na nos nas ao à às pelo pela sobre entre desde até olá oi bom boa dia tarde noite obrigado obrigada tchau adeus favor muito mais menos também já aqui aí tudo todos toda outra outro outras outros nada algo cada então fazer dizer diga pergunte ajudar ajudá-lo senhor senhora preciso chamo marcar só",
  letters: "ãõ",
  numbers: {
    small:
      "zero um|uma dois|duas três quatro cinco seis|meia sete oito nove dez onze doze treze catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove",
    tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    powers: { 100: "cem|cento", 1000: "mil" },
    hundreds: "duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    and: "e",
  },
  days: "hoje(?: à noite| à tarde)?|depois de amanhã|amanhã(?: de manhã| à tarde| à noite)?|na próxima semana|a semana que vem|o mês que vem",
  times: [
    "(?:às?|pelas|para as|das) #(?: horas?)?(?: e (?:meia|#))?",
    "# ?(?:horas|h)",
    "meio-dia|meia-noite|(?:de|da) manhã|(?:à|da) tarde|(?:à|da) noite",
  ],
  dates: ["(?:#|primeiro) de @"],
  weekdays: ["segunda", "terça", "quarta", "quinta", "sexta"],
};
