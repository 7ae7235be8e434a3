/** A configured flow with comments, a branch, an include and a global function. */
export const PIZZA = `# Orders pizza.
initial_node: greet

nodes:
  greet:
    role_message: >-
      You take orders
      on the phone.
    pre_actions:
      - type: tts_say
        text: Hello!
    task_messages:
      - role: developer
        content: Ask what {{ name }} wants. # the placeholder is set by the program
    respond_immediately: false
    functions:
      # without code
      - name: choose_pizza
        transition_only: true
        description: The caller wants pizza.
        transition_to: pizza
  pizza:
    task_messages:
      - role: system
        content: Take the order.
      - role: developer
        content: !include prompts/pizza.txt
    functions:
      - name: order_pizza
        transition_to:
          field: status
          cases:
            ok: bye
            true: pizza
          default: greet
      - name: list_toppings
  bye:
    task_messages:
      - { role: developer, content: "Say goodbye." }
    post_actions:
      - type: end_conversation

global_functions:
  - name: to_manager
    transition_only: true
    description: The caller asks for the manager.
    transition_to: bye
  - name: get_hours
`;

/** A static flow with functions of three vendors. */
export const STATIC = {
  initial_node: "start",
  nodes: {
    start: {
      role_messages: [{ role: "system", content: "Be brief." }],
      task_messages: [{ role: "system", content: "Ask for the size." }],
      functions: [
        {
          type: "function",
          function: {
            name: "pick_size",
            handler: "__function__:pick_size",
            description: "Notes the size",
            parameters: {
              type: "object",
              properties: { size: { type: "string", enum: ["s", "l"] }, count: { type: "integer", minimum: 1 } },
              required: ["size"],
            },
            transition_to: "confirm",
          },
        },
      ],
    },
    confirm: {
      task_messages: [{ role: "system", content: "Confirm." }],
      functions: [
        {
          name: "yes",
          description: "Caller agrees",
          input_schema: { type: "object", properties: {} },
          transition_to: "end",
        },
        { function_declarations: [{ name: "no", description: "Caller disagrees", transition_to: "start" }] },
      ],
    },
    end: { task_messages: [], post_actions: [{ type: "end_conversation" }], context_strategy: { strategy: "RESET" } },
  },
};

/** A file of the visual editor with a decision. */
export const EDITOR = {
  $id: "https://flows.pipecat.ai/schema/flow.json",
  meta: { name: "Payment", version: "0.1.0" },
  nodes: [
    {
      id: "ask",
      type: "initial",
      position: { x: 0, y: 0 },
      data: {
        label: "Ask",
        task_messages: [{ role: "system", content: "Ask for the amount." }],
        functions: [
          {
            name: "pay",
            description: "Pays the amount",
            properties: { amount: { type: "number" } },
            required: ["amount"],
            decision: {
              action: "result = 'paid'",
              conditions: [
                { operator: "==", value: "paid", next_node_id: "bye" },
                { operator: ">=", value: "3", next_node_id: "bye" },
              ],
              default_next_node_id: "ask",
            },
          },
        ],
      },
    },
    {
      id: "bye",
      type: "end",
      position: { x: 300, y: 0 },
      data: { task_messages: [{ role: "system", content: "Bye." }] },
    },
  ],
  edges: [{ id: "e1", source: "ask", target: "bye", label: "paid" }],
};
