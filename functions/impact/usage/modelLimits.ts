import file from './modelLimits.json' with { type: 'json' };

/** The most tokens of a call, as the vendor publishes them. */
export interface ModelLimits {
  readonly input: number;
  readonly output: number;
}

const limits = file.map(({ models, ...most }) => ({ ...most, models: new RegExp(models) }));

/** The limits of a model by its normalized id. Undefined if none are listed. */
export const limitsOf = (model: string): ModelLimits | undefined =>
  limits.find(({ models }) => models.test(model));
