import type { AliasTarget } from '../../../schemas/attribution/publishedPrices.ts';

/** `version`: of the load that states the target. */
type Target = AliasTarget & { readonly version?: string | undefined };

/** What an alias of a provider named over time, oldest first. */
export interface MovingAlias {
  readonly provider: string;
  readonly targets: readonly Target[];
}

/** Moving aliases by name. Several providers can have one of the same name. */
export type MovingAliases = ReadonlyMap<string, readonly MovingAlias[]>;

const isOf = (provider: string) => (alias: MovingAlias) => alias.provider === provider;

/** What an alias named at a moment. `before`: the model that it may still have named, because nobody knows the day. */
export interface NamedModel {
  readonly model: string;
  readonly before: string | null;
  readonly version?: string | undefined;
}

const namedBy = ({ targets }: MovingAlias, at: Date): NamedModel | null => {
  const index = targets.findLastIndex(({ from }) => at.getTime() >= Date.parse(from));
  // The first model that the service knows also stands for the time before it. A load changes only what it dates.
  const target = targets[index] ?? targets.find(({ version }) => version === undefined);
  if (target === undefined) return null;
  const isCertain = target.certain_from === undefined || at.getTime() >= Date.parse(target.certain_from);
  const before = isCertain ? undefined : targets[index - 1];
  return { model: target.model, before: before?.model ?? null, version: target.version };
};

/** What an alias of a provider named at a moment. Null if the provider has no such alias. */
export const namedAt = (
  aliases: MovingAliases,
  provider: string,
  model: string,
  at: Date,
): NamedModel | null => {
  const alias = aliases.get(model)?.find(isOf(provider));
  return alias === undefined ? null : namedBy(alias, at);
};

/** The model that an alias named at the time of a call, whoever served it. Other ids are returned unchanged. */
export const modelAt = (aliases: MovingAliases, provider: string, model: string, at: Date): string => {
  const named = aliases.get(model);
  const alias = named?.find(isOf(provider)) ?? named?.[0];
  return (alias && namedBy(alias, at)?.model) ?? model;
};
