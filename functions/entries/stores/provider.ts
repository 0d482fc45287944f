import { type Need, needNames } from '../../../schemas/platform/resources.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';

/** What stores are made of. */
export interface Environment {
  /** The name, URL or ARN of the resource of a need. Throws if the function does not declare it. */
  readonly resourceOf: (need: Need) => string;
  readonly clock: Clock;
}

/**
 * Makes the stores of a need, whose resource has the name, URL or ARN `resource`. Each is an export of its own, so that the
 * bundler leaves out those that a function does not name.
 */
type Provider = (resource: string, environment: Environment) => object;

/** The name of the provider of a need: `budgetsRead` for `budgets.read`. */
export type ProviderName<N extends Need = Need> = N extends `${infer Resource}.${infer Use}`
  ? `${Resource}${Capitalize<Use>}`
  : never;
export type Providers = Readonly<Partial<Record<ProviderName, Provider>>>;

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** What several providers make, together. */
export type StoresFrom<P extends Providers> = [keyof P] extends [never]
  ? Record<never, never>
  : Intersection<{ [Name in keyof P]: P[Name] extends Provider ? ReturnType<P[Name]> : never }[keyof P]>;

export const providerOf = (need: Need): string =>
  need.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());
const needByProvider = new Map(needNames.map((need) => [providerOf(need), need]));
const needOf = (provider: string): Need => {
  const need = needByProvider.get(provider);
  if (need === undefined) throw new Error(`no need has the provider ${provider}`);
  return need;
};

/** The stores of the needs that `providers` names, in an environment. */
export const storesIn = <P extends Providers>(environment: Environment, providers: P): StoresFrom<P> =>
  Object.assign(
    {},
    ...Object.entries<Provider>(providers).map(([name, make]) =>
      make(environment.resourceOf(needOf(name)), environment),
    ),
  );

/** Makes something once in each environment, for stores that share caches. */
export const once = <Made>(
  make: (environment: Environment) => Made,
): ((environment: Environment) => Made) => {
  const made = new WeakMap<Environment, { readonly value: Made }>();
  return (environment) => {
    const known = made.get(environment) ?? { value: make(environment) };
    made.set(environment, known);
    return known.value;
  };
};
