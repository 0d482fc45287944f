import type { getUnownedReport } from '../../../../sdk/typescript/src/operations.ts';
import { DAY_MS, isoDay, startOfDay } from '../../format/time.ts';
import { codec, day, text } from '../../url/codec.ts';

export const ownersCodec = codec({ service: text(), from: day(), to: day() });
type OwnersState = ReturnType<typeof ownersCodec.read>;

const DAYS = 30;

/** The query of the page. The last day is included. */
export const queryOf = (
  { service, from, to }: OwnersState,
  now: number,
): NonNullable<Parameters<typeof getUnownedReport>[1]> => ({
  from: from ?? isoDay(startOfDay(now) - (DAYS - 1) * DAY_MS),
  to: isoDay((to === null ? startOfDay(now) : Date.parse(to)) + DAY_MS),
  ...(service !== '' && { service }),
});

/** The page that assigns an owner. */
export const ownersLink = (members: Partial<OwnersState>): string => {
  const search = ownersCodec.write({ ...ownersCodec.read(''), ...members });
  return search === '' ? '/owners' : `/owners?${search}`;
};
