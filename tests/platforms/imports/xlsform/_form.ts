/** A reference to a question, as forms write it. */
export const ref = (name: string): string => ["$", "{", name, "}"].join("");

/** A survey of a farm: each kind of row that a call has something for, and some that it has not. */
export const FARM = {
  sheets: {
    Survey: [
      [
        "Type",
        "Name",
        "label::English (en)",
        "label::Deutsch (de)",
        "required",
        "relevant",
        "constraint",
        "constraint_message",
        "calculation",
      ],
      ["start", "started"],
      ["note", "welcome", "Thank you for taking part.", "Danke fürs Mitmachen."],
      ["text", "farmer", "What is your name?", "Wie heißen Sie?", "yes"],
      [
        "integer",
        "age",
        `How old are you, ${ref("farmer")}?`,
        "Wie alt sind Sie?",
        "yes",
        null,
        ". >= 18 and . < 120",
        "You have to be an adult.",
      ],
      ["select_one yes_no", "has_cows", "Do you keep cows?", "Halten Sie Kühe?"],
      ["begin group", "cows", "Cows", "Kühe", null, `${ref("has_cows")} = 'yes'`],
      ["integer", "count", "How many cows are there?"],
      ["begin repeat", "cow", "Cow"],
      ["text", "cow_name", "What is its name?"],
      ["end repeat"],
      ["end group"],
      ["select_multiple crops", "grows", "What do you grow?"],
      [
        "note",
        "maize",
        "Maize prices rise.",
        null,
        null,
        `selected(${ref("grows")}, 'maize') and not(${ref("age")} > 60)`,
      ],
      ["image", "photo", "Take a picture"],
      ["calculate", "yield", null, null, null, null, null, null, `${ref("count")} * 2`],
    ],
    choices: [
      ["list name", "name", "label::English (en)"],
      ["yes_no", "yes", "Yes"],
      ["yes_no", "no", "No"],
      ["crops", "maize", "Maize"],
      ["crops", "rice", "Rice"],
    ],
    settings: [
      ["form_title", "default_language", "version"],
      ["Farms", "English (en)", 3],
    ],
  },
};
