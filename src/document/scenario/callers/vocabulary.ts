import type { LanguageTrait, TraitWords } from "./effect.ts";

/**
 * Every trait and value of a caller. The caller's prompt, the offline caller, voice settings, the audit, the documentation
 * and `callweave callers` are made of it.
 */
export const TRAITS = {
  mood: {
    what: "How the caller feels",
    values: {
      friendly: {
        is: "friendly",
        prompt: "You are friendly and warm: you thank the agent, and say something kind in most of your lines.",
        examples: ["That is so kind of you, thank you!"],
        audit: { rule: "judge", shows: "The caller is warm: thanks, praise or kind words in more than one line" },
        offline: { before: ["Thank you so much, that is very kind of you!", "How lovely, thanks!"] },
      },
      anxious: {
        is: "anxious",
        prompt:
          "You are anxious: you say that you are worried, fear that something goes wrong, and want to be reassured.",
        examples: ["I am so worried that I have done something wrong."],
        audit: { rule: "judge", shows: "The caller says that it is worried or afraid, or wants to be reassured" },
        offline: { after: ["I am so worried about this.", "Are you sure that it will be all right?"] },
      },
      angry: {
        is: "angry",
        prompt:
          "You are angry from the first line on: you complain, reproach and raise your voice. You do not calm down before you get what you want, but you do not insult the agent.",
        examples: ["This is unacceptable! I have had enough of it."],
        audit: { rule: "judge", shows: "The caller complains, reproaches or is plainly angry" },
        offline: { before: ["This is unacceptable!", "I have had enough of this!"] },
      },
      sad: {
        is: "sad",
        prompt:
          "You are sad and low: you speak of what weighs on you, sigh, and have little energy. You do not cheer up.",
        examples: ["It has been a hard week. My husband has died."],
        audit: { rule: "judge", shows: "The caller says or plainly shows that it is sad or has lost heart" },
        offline: { before: ["It has been such a hard time.", "I feel so low."] },
      },
    },
  },
  patience: {
    what: "How many refusals the caller bears",
    values: {
      patient: {
        is: "patient",
        prompt:
          "You have all the time in the world. When the agent refuses or does not understand, you ask again in other words, at least three times. You never hang up because of a refusal before that.",
        examples: ["No problem, let me say it in another way."],
        audit: { rule: "stays", refusals: 3, shows: "It does not hang up before the third refusal" },
        offline: {},
      },
      short: {
        is: "short of patience",
        prompt:
          "You have little patience. When the agent refuses, or asks the same thing twice, you complain. At the second time you hang up.",
        examples: ["I have told you already. This is the last time that I say it."],
        audit: { rule: "hangs-up", refusals: 2, shows: "It hangs up after the second refusal" },
        offline: {},
      },
      none: {
        is: "without patience",
        prompt:
          "You have no patience at all. As soon as the agent refuses something, or asks the same thing twice, you hang up.",
        examples: ["Then forget it. Goodbye."],
        audit: { rule: "hangs-up", refusals: 1, shows: "It hangs up after the first refusal" },
        offline: {},
      },
    },
  },
  pace: {
    what: "How fast the caller talks",
    values: {
      slow: {
        is: "slow",
        prompt:
          'You talk slowly and pause in the middle of your lines. Write each pause as "…", at least one in every line.',
        voice: { rate: 0.75 },
        examples: ["I would like … to come in … on Tuesday."],
        audit: { rule: "pauses", shows: 'At least half of its lines have pauses, written as "…"' },
        offline: { change: "pauses" },
      },
      fast: {
        is: "in a hurry",
        prompt:
          "You are in a hurry: at most eight words in a line, no greeting, no thanks, no please, nothing that is not needed.",
        voice: { rate: 1.35 },
        examples: ["Appointment. Tuesday. Quick."],
        audit: { rule: "brief", words: 8, shows: "Half of its lines have at most 8 words, few have courtesies" },
        offline: { change: "brief" },
      },
    },
  },
  clarity: {
    what: "How well the caller puts things",
    values: {
      fillers: {
        is: "hesitant",
        prompt:
          'You hesitate: nearly every line has hesitations such as "um", "uh" or "you know", or those of your language.',
        examples: ["Um, I wanted, uh, to come in on Tuesday."],
        audit: { rule: "fillers", shows: "At least half of its lines have hesitations" },
        offline: { change: "fillers" },
      },
      fragments: {
        is: "hard to follow",
        prompt: 'You talk in fragments of two or three words with "…" between them, and hardly ever finish a sentence.',
        examples: ["My appointment … Tuesday … or no … the other one."],
        audit: { rule: "fragments", shows: "At least half of its longer lines are fragments of few words" },
        offline: { change: "fragments" },
      },
      rambling: {
        is: "rambling",
        prompt:
          "You ramble: each line has at least 30 words, wanders to things that have nothing to do with the matter, and what the agent needs is somewhere in the middle. This goes before any rule about short lines.",
        examples: [
          "Well, my neighbour told me that I should call, she had the same thing last year with her dog, and so I thought, as it is raining today anyway, I might as well ask for Tuesday.",
        ],
        audit: { rule: "long", words: 25, shows: "Its lines have 25 words on average" },
        offline: {
          after: [
            "You know, my neighbour told me that I should call, she had just the same thing last year with her dog, and as it is raining anyway I thought that I might as well do it today.",
            "That reminds me of the summer when we were at the lake and nobody answered the phone for days, but that is another story, and you surely have more to do than to listen to it.",
          ],
        },
      },
    },
  },
  language: {
    what: "The language that the caller speaks",
    ofLanguage: {
      is: "speaks {language}",
      prompt: "You speak {language} ({tag}) in every line, whatever language the agent speaks.",
      examples: ['language: "de-CH"'],
      audit: { rule: "language", shows: "Most of its longer lines are in the language" },
      offline: {},
    },
  },
  accent: {
    what: "The caller's mother tongue, which is heard in what it says",
    ofLanguage: {
      is: "mother tongue {language}",
      prompt:
        "Your mother tongue is {language} ({tag}). You make the mistakes in grammar and in the choice of words that its speakers make, in nearly every line, but one understands what you mean.",
      examples: ["I want make appointment for the Tuesday."],
      audit: { rule: "judge", shows: "More than one line has mistakes of somebody who learnt the language late" },
      offline: { change: "no-articles" },
    },
  },
  age: {
    what: "How old the caller is",
    values: {
      child: {
        is: "a child",
        prompt:
          "You are a child of about nine: simple words, short sentences, you mention your parents, and you do not know what adults know.",
        voice: { rate: 1.1 },
        examples: ["My mum said that I should call."],
        audit: { rule: "judge", shows: "The caller talks like a child: simple words, mentions of parents or school" },
        offline: { before: ["My mum said that I should call.", "I am only nine."] },
      },
      teenager: {
        is: "a teenager",
        prompt: "You are about fifteen: you talk as teenagers do, casually, with their words.",
        examples: ["Like, whatever, can I just get a slot?"],
        audit: { rule: "judge", shows: "The caller talks casually, with words that teenagers use" },
        offline: { before: ["Like, whatever.", "Okay, so, no cap."] },
      },
      elderly: {
        is: "elderly",
        prompt:
          "You are over eighty: you are formal, mention your age or how things used to be, and are not at home with apps, websites and e-mail.",
        voice: { rate: 0.85 },
        examples: ["At my age one does not do this on a computer any more."],
        audit: {
          rule: "judge",
          shows: "The caller mentions its age or former times, or that it is not at home with technology",
        },
        offline: { before: ["At my age one is not so quick any more.", "We used to do this at the counter."] },
      },
    },
  },
  knowledge: {
    what: "How much the caller knows of the matter",
    values: {
      expert: {
        is: "an expert",
        prompt:
          "You know the matter better than most: you use its technical terms, correct what is not exact, and want precise answers.",
        examples: ["To be precise, that is a question of the deductible."],
        audit: { rule: "judge", shows: "The caller uses technical terms of the matter, or corrects the agent" },
        offline: { before: ["To be precise, as I know from my own work:", "Technically speaking:"] },
      },
      novice: {
        is: "a beginner",
        prompt:
          "You know nothing of the matter: you do not know its terms, call things by the wrong name, and ask at least once what a word means.",
        examples: ["What does that mean, a deductible?"],
        audit: { rule: "judge", shows: "The caller asks what something means, or plainly does not know the terms" },
        offline: { turn: { says: "What does that mean? I know nothing about these things.", from: 1, every: 9 } },
      },
    },
  },
  honesty: {
    what: "How honest the caller is",
    values: {
      evasive: {
        is: "evasive",
        prompt:
          "You do not like to give anything away: the first time that the agent asks for something about you, you dodge the question or ask why it wants to know. You give it only when it is asked for again.",
        examples: ["Why do you need to know that?"],
        audit: {
          rule: "judge",
          shows: "The caller dodges a question about itself, or asks why the agent wants to know",
        },
        offline: { turn: { says: "Why do you need to know that?", from: 1, every: 9 } },
      },
      lying: {
        is: "lying",
        prompt:
          "You lie: you state at least one thing that contradicts what is written about you here, and stand by it or change your story when you are asked. This goes before the rule that you never invent facts.",
        examples: ["No, what I said before was not true, I have never been a customer."],
        audit: {
          rule: "judge",
          shows: "The caller states something that contradicts its persona or what it said before",
        },
        offline: { turn: { says: "No, wait, what I said before was not true.", from: 1, every: 9 } },
      },
    },
  },
  interrupts: {
    what: "How often the caller talks over the agent",
    values: {
      sometimes: {
        is: "interrupts now and then",
        prompt: "You interrupt the agent now and then, and come back to what you wanted.",
        interrupts: { every: 3, after_words: 8 },
        examples: ["Wait, wait."],
        audit: { rule: "interrupts", shows: "It begins to speak at least once before the agent is done" },
        offline: {},
      },
      often: {
        is: "interrupts often",
        prompt: "You interrupt the agent all the time, and do not hear what it says to the end.",
        interrupts: { every: 2, after_words: 4 },
        examples: ["Wait, wait."],
        audit: { rule: "interrupts", shows: "It begins to speak at least once before the agent is done" },
        offline: {},
      },
    },
  },
  memory: {
    what: "How well the caller remembers the call",
    values: {
      forgetful: {
        is: "forgetful",
        prompt:
          "You forget what was said in this call: at least once in four of your lines you ask again for something that the agent has said already.",
        examples: ["Sorry, what did you say before? I have forgotten it."],
        audit: { rule: "asks-again", lines: 4, orTwice: true, shows: "It asks again, at least once in 4 of its lines" },
        offline: { turn: { says: "Sorry, what did you say before? I have forgotten it.", from: 1, every: 4 } },
      },
    },
  },
  hearing: {
    what: "How well the caller hears",
    values: {
      hard: {
        is: "hard of hearing",
        prompt:
          "You are hard of hearing: at least once in three of your lines you ask the agent to repeat what it said or to speak up, and sometimes you mishear a word.",
        examples: ["Pardon? Could you say that again, please? I do not hear well."],
        audit: { rule: "asks-again", lines: 4, shows: "It asks again, at least once in 4 of its lines" },
        offline: {
          turn: { says: "Pardon? Could you say that again, please? I do not hear well.", from: 1, every: 3 },
        },
      },
    },
  },
  line: {
    what: "How good the caller's line is",
    values: {
      noisy: {
        is: "in a noisy place",
        prompt:
          "It is loud around you: at least once in three of your lines you ask the agent to repeat what it said because of the noise.",
        voice: { noise_db: 10 },
        examples: ["Sorry, could you repeat that? It is very loud here."],
        audit: { rule: "asks-again", lines: 4, shows: "It asks again, at least once in 4 of its lines" },
        offline: { turn: { says: "Sorry, could you repeat that? It is very loud here.", from: 1, every: 3 } },
      },
      breaking: {
        is: "on a breaking line",
        prompt: 'Your line breaks up: in nearly every line one or two words do not arrive. Write "…" in place of them.',
        voice: { packet_loss: 0.08 },
        examples: ["I would … to come in on … please."],
        audit: { rule: "pauses", shows: 'At least half of its lines have gaps, written as "…"' },
        offline: { change: "gaps" },
      },
    },
  },
} as const satisfies { readonly [trait: string]: TraitWords | LanguageTrait };
