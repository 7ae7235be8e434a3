export { checkPolicies, type PolicyAnswer } from "./check_policies.ts";
export { policyFindings, unknownNames } from "./policy_findings.ts";
export { ruleText } from "./rule_text.ts";
export { BROKEN, isAny, NOTED, type RuleWatch, ruleWatch } from "./rule_watch.ts";
