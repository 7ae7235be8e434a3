export { type Fitness, type FitnessCheck, type FitnessRole, type TestModelOptions, testModel } from "./test_model.ts";
