import type { AliasList } from '../../../schemas/attribution/publishedPrices.ts';
import published from './movingAliases.json' with { type: 'json' };
import type { MovingAlias, MovingAliases } from './movingAliases.ts';

/** The lists that this version of the service was built with. They are loaded with the price lists. */
export const publishedAliases: readonly AliasList[] = published;

/** The aliases of lists, and of the loads of operators. Of two targets from one day, the later list decides. */
export const movingAliases = (
  lists: readonly AliasList[],
  loads: readonly { readonly version: string; readonly aliases: readonly AliasList[] }[] = [],
): MovingAliases => {
  const aliases = new Map<string, MovingAlias[]>();
  const add = ({ provider, models }: AliasList, version?: string) => {
    for (const [name, targets] of Object.entries(models)) {
      const known = aliases.get(name) ?? [];
      const all = [
        ...(known.find((other) => other.provider === provider)?.targets ?? []),
        ...targets.map((target) => ({ ...target, version })),
      ];
      const alias = { provider, targets: all.toSorted((one, other) => (one.from < other.from ? -1 : 1)) };
      aliases.set(name, [...known.filter((other) => other.provider !== provider), alias]);
    }
  };
  for (const list of lists) add(list);
  for (const { version, aliases: loaded } of loads) for (const list of loaded) add(list, version);
  return aliases;
};
