import advice from './modelAdvice.json' with { type: 'json' };

/** What a provider states about the use of its models, with the page and the day of its check. */
export interface StatedMinimum {
  readonly tokens: number;
  readonly source: string;
  readonly checked: string;
}

/** The model that the provider itself recommends in place of another. */
export interface StatedReplacement {
  readonly replacement: string;
  readonly source: string;
  readonly checked: string;
}

interface Rule {
  readonly models?: string;
}

const isAbout = ({ models }: Rule, model: string): boolean =>
  models === undefined || new RegExp(models).test(model);

/** The shortest input that the provider caches. Null if no page states one. Provider and model come from `modelIdentity`. */
export const cacheMinimumOf = (provider: string, model: string): StatedMinimum | null =>
  advice.cacheMinimums.find((rule) => rule.providers.includes(provider) && isAbout(rule, model)) ?? null;

/** Only of the provider that publishes the recommendation: resellers have schedules of their own. */
export const replacementOf = (provider: string, model: string): StatedReplacement | null =>
  advice.replacements.find((rule) => rule.provider === provider && isAbout(rule, model)) ?? null;

/** Whether a price table has the model at the flex tier. That a call states the tier shows no more than that it was asked for. */
export const isSoldAtFlex = (provider: string, model: string): boolean =>
  advice.flexModels.some((rule) => rule.providers.includes(provider) && isAbout(rule, model));
