import type { SpeechTable } from "./table.ts";

export const ES: SpeechTable = {
  code: "es",
  speakers:
    "cliente clienta llamante usuario usuaria paciente agente quiere desea da dice pide pregunta quisiera llama",
  negations: "no|ni|nunca|jamás|sin|ning[uú]na?|ningún|nada",
  endings:
    "aciones|ación|amientos?|imientos?|aremos|arían?|aré|ando|iendo|adas?|ados?|idas?|idos?|arme|arla|arlo|ar|er|ir|an|en|as|os|es|a|o|e|s",
  synonyms: [
    "hablar pasar comunicar poner transferir",
    "cita consulta visita",
    "reservar pedir concertar agendar reserva",
    "cancelar anular cancelación",
    "cambiar mover aplazar modificar",
    "persona agente humano alguien operador asesor",
    "encargado jefe responsable gerente",
    "factura importe",
    "devolver devolución",
    "reembolso dinero reembolsar",
    "roto averiado defectuoso dañado",
    "pedido compra",
    "paquete envío entrega",
    "precio coste costo cuesta",
    "horario abierto abren apertura",
  ],
  moods: {
    fillers: "oh|eh|pues|bueno|a ver|gracias|ah",
    yes: "sí|si(?=[,.!]|$)|claro|exacto|exactamente|correcto|eso es|así es|de acuerdo|por supuesto|vale|perfecto|está bien|me (?:va|viene) bien|confirmo|acepto|desde luego|con gusto|okay|ok",
    no: "no|para nada|en absoluto|nunca|no es correcto|está mal|incorrecto|prefiero que no",
    refusal: "no",
    whyNot: "(?:y )?por qué no|¿por qué no|cómo no",
    done: "adiós|hasta (?:luego|pronto|mañana)|eso (?:es|era) todo|nada más|es todo|no,? (?:muchas )?gracias|que tenga (?:un )?buena?|ya está|he terminado|chao",
    lost: "repetir|repite|repita|otra vez|no (?:le |te |lo )?(?:he )?(?:entendid?o|entiendo|oigo)|un (?:momento|segundo)|no (?:lo )?sé|ni idea|no (?:estoy segur[oa]|recuerdo|me acuerdo)",
    lostAlone: "perdón|perdone|cómo|qué|eh|hm+|disculpe",
  },
  kinds: {
    email: "correo(?: electrónico)?|e-?mail",
    phone: "tel[eé]fono|móvil|celular|número de contacto",
    address: "dirección|domicilio",
    number: "cuánt[oa]s?|número de (?:personas|entradas|noches)|cantidad|edad|importe",
    identifier: "número|código|referencia|identificador|localizador",
    time: "hora|a qué hora",
    date: "fecha|día|cuándo|cumpleaños",
    name: "nombres?|apellidos?|se llama",
  },
  reasons: "motivo|razón|problema|mensaje|asunto|pregunta|queja|por qué|qué",
  introductions:
    "está\\p{L}* habla\\p{L}+ con|mi apellido es|me llamo|mi nombre es|soy|habla|le habla|a nombre de|nombre:",
  leadIns: "(?:es|sería|mi \\p{L}+ es|quisiera|quiero|me gustaría|para|el|la|a)",
  address:
    "(?:calle|avenida|avda\\.?|plaza|paseo|camino|carretera|c/)(?: (?:de |del |de la |de los |de las )?[\\p{L}.'-]+){1,4},? (?:número )?\\d+(?: ?[a-zº]+)?",
  emailSigns: { dot: "punto", at: "arroba" },
  conditions: {
    people:
      "(?:si |cuando )?(?:el|la) (?:cliente|clienta|llamante|persona|usuari[oa]|paciente)|(?:si )?(?:quien llama|él|ella)",
    given: "da|dice|indica|proporciona|facilita|menciona|responde|deletrea|comunica",
    finished:
      "no (?:tiene|hay|necesita) (?:más|nada|otra)|se despide|ha terminado|está satisfech[oa]|cuelga|nada más|sin más preguntas",
    resumes: "continuar|seguir|retomar|volver a|list[oa] para",
    resumed: "sigamos|seguir|continuar|continuemos|volver|list[oa]|da igual",
    agrees: "confirma|acepta|está de acuerdo|aprueba|dice que sí|accede",
    declines: "rechaza|declina|no está de acuerdo|dice que no|no (?:quiere|desea|confirma|acepta)|se niega",
    workFailed: "fallid[oa]|falla|error|no (?:encontrad[oa]|disponible|es posible)|sin resultados",
    workDone:
      "completad[oa]|terminad[oa]|cargad[oa]|encontrad[oa]|enviad[oa]|reservad[oa]|guardad[oa]|con éxito|disponible",
    any: "responde|habla|contesta|siempre",
  },
  caller: {
    yes: "Sí, por favor.",
    unknown: "No lo sé.",
    closing: "No, eso es todo, gracias.",
    bye: "Adiós.",
    wants:
      "quiero|quisiera|necesito|llamo (?:para|por|porque)|busco|tengo que|me gustaría|debo|dónde|cuándo|cómo|por qué|espero|objetivo",
    manner:
      "sé|sea|habla con|hable|quédate|cuelga|cuelgue|responde|responda|eres (?:muy )?(?:amable|educad[oa]|impaciente)|es usted|si el agente",
    whenAsked:
      "(?:si|cuando) (?:te|le) (?:preguntan|pregunten) (?:por |sobre )?(.*?),? (?:di|diga|responde|responda|da|dé)[ :]+(?:que )?(.*)",
    firstPerson: [
      ["te llamas", "me llamo"],
      ["se llama usted", "me llamo"],
      ["eres", "soy"],
      ["quieres", "quiero"],
      ["necesitas", "necesito"],
      ["tienes", "tengo"],
      ["puedes", "puedo"],
      ["llamas", "llamo"],
      ["tu", "mi"],
      ["tus", "mis"],
      ["te", "me"],
    ],
    asksYesNo:
      "^¿?(?:es|son|está|están|quiere|desea|le gustaría|puedo|debo|tiene|acepta|le parece|le va)(?!\\p{L})|(?:correcto|de acuerdo|verdad|está bien|no)\\s*$",
    asksMore: "algo más|otra cosa|en qué (?:puedo|más)|ayudar(?:le|te)?",
  },
  agent: {
    hello: "¡Hola!",
    what: "Hola, ¿en qué puedo ayudarle?",
    else: "¿Puedo ayudarle en algo más?",
    again: "Perdone, no le he entendido. #",
    bye: "¡Adiós!",
    thanks: "Muchas gracias.",
    found: "Esto es lo que he encontrado: #.",
    isThatRight: "Le repito: #. ¿Es correcto?",
    says: "di|diga|dile|pregunta|pregunte|pregúntale|responde|responda|saluda|salude|empieza|explica|explique|despídete|agradece|con",
    asks: "^(?:pregunta|pregunte|pregúntale|pide|pida|pídele|solicita|solicite)(?: (?:al cliente|a la clienta|al llamante|a la persona|al paciente))?(?: por| cuál es| sobre)? (.*)$",
    tells:
      "^(?:di|diga|dile|dígale|explica|explique|informa|informe|indica|indique|comenta)(?: (?:al cliente|a la clienta|al llamante|a la persona))?(?: de)?(?: que)? (.*)$",
    confirms: "^(?:confirma|confirme|repite|repita|verifica|verifique|comprueba)(?: con el \\p{L}+)? (.*)$",
    greets: "^(?:saluda|salude|da la bienvenida)(?!\\p{L})",
    parts: "^(?:despídete|despídase|di adiós|diga adiós|desea|desee)",
    thanksThem: "^(?:agradece|agradezca|da las gracias|dé las gracias)(?!\\p{L})",
    manner:
      "no|nunca|siempre|evita|evite|sé|sea|mantén|habla|hable|tú|eres|usted|tu|su|si|cuando|en cuanto|solo|espera|espere|rol|objetivo|tarea|reglas?",
    questions: {
      name: "¿Cuál es su nombre?",
      email: "¿Cuál es su correo electrónico?",
      phone: "¿Cuál es su número de teléfono?",
      date: "¿Qué día?",
      time: "¿A qué hora?",
      identifier: "¿Cuál es el número?",
      number: "¿Cuántos?",
      address: "¿Cuál es su dirección?",
      other: "¿Puede decirme: #?",
    },
  },
};
