import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, run, scenario } from "../../../../../mod.ts";
import { guessLanguage, LANGUAGES } from "../../../../../src/base/languages/mod.ts";
import { type CallerTraits, traitNames, traitWords } from "../../../../../src/document/scenario/mod.ts";

/** A persona, the agent's prompts, and the name of its node's condition in each language. */
const WORDS = {
  de: ["Du möchtest einen neuen Termin. Der Tag ist der Dienstag.", "Frage nach dem Tag.", "Anrufer nennt einen Tag"],
  fr: ["Vous voulez un nouveau rendez-vous. Le jour est le mardi.", "Demandez le jour.", "L'appelant donne un jour"],
  es: ["Quieres una cita nueva. El día es el martes.", "Pregunta el día.", "La persona da un día"],
  pt: ["Quer uma consulta nova. O dia é a terça-feira.", "Pergunte o dia.", "O cliente diz um dia"],
  it: ["Vuoi un nuovo appuntamento. Il giorno è il martedì.", "Chiedi il giorno.", "Il cliente dice un giorno"],
  nl: ["Je wilt een nieuwe afspraak. De dag is de dinsdag.", "Vraag naar de dag.", "Beller noemt een dag"],
  hi: ["आप एक नया अपॉइंटमेंट चाहते हैं। दिन मंगलवार है।", "दिन पूछें।", "कॉलर एक दिन बताता है"],
  ja: ["あなたは新しい予約をしたいです。曜日は火曜日です。", "曜日を聞いてください。", "お客様が曜日を言う"],
  ar: ["تريد موعدًا جديدًا. اليوم هو الثلاثاء.", "اسأل عن اليوم.", "المتصل يذكر اليوم"],
} as const;

const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** A caller for each value of each trait but those about a language. */
const callers: readonly CallerTraits[] = traitNames().flatMap((name) => {
  const words = traitWords(name);
  return "values" in words ? Object.keys(words.values).map((value) => ({ [name]: value })) : [{ [name]: "en" }];
});

for (const language of OTHERS)
  test(`the offline caller shows its traits in ${language}, the language of its persona, and in no other`, async () => {
    const [persona, ask, given] = WORDS[language];
    const desk = flow("desk", { prompt: ask })
      .conversation("ask", { prompt: ask, next: ({ to }) => [to("again", given)] })
      .conversation("again", { prompt: ask, next: ({ to }) => [to("bye", given)] })
      .end("bye", { prompt: ask })
      .compile();
    const own = callers.filter(
      (caller) => !("language" in caller) && !("line" in caller && caller.line === "breaking"),
    );
    const scenarios = own.map((caller) =>
      scenario(JSON.stringify(caller), desk)
        .persona(persona)
        .caller({ ...caller, language })
        .visits("ask"),
    );
    const { results } = await run(desk, scenarios, { store: false, limits: { maxTurns: 8 } });
    for (const { scenario: name, status, audit, transcript } of results) {
      assert.notEqual(status, "invalid", `${language} ${name}: ${JSON.stringify(audit)}`);
      for (const { role, content } of transcript)
        if (role === "user") assert.notEqual(guessLanguage(content)?.language, "en", `${language} ${name}: ${content}`);
    }
  });
