import { type AnomalyMute, MUTES_MAXIMUM } from '../../../../schemas/insight/anomalies.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { type Entity, entityKey } from '../entity.ts';

/** The mutes that are in effect at `now` (epoch milliseconds). */
const activeMutes = (mutes: readonly AnomalyMute[], now: number): AnomalyMute[] =>
  mutes.filter(({ until }) => Date.parse(until) > now);

/** Until when the series of an entity is muted at `now` (epoch milliseconds). Null if it is not. */
export const mutedUntil = (mutes: readonly AnomalyMute[], entity: Entity, now: number): string | null =>
  activeMutes(mutes, now).find((mute) => entityKey(mute) === entityKey(entity))?.until ?? null;

/** Drops the mute of an entity and those whose time is over. */
export const withoutMute = (mutes: readonly AnomalyMute[], entity: Entity, now: number): AnomalyMute[] =>
  activeMutes(mutes, now).filter((mute) => entityKey(mute) !== entityKey(entity));

/** Adds a mute, or replaces that of the same series. Throws VALIDATION_FAILED when the tenant has reached the limit. */
export const withMute = (mutes: readonly AnomalyMute[], mute: AnomalyMute, now: number): AnomalyMute[] => {
  const others = withoutMute(mutes, mute, now);
  if (others.length >= MUTES_MAXIMUM) {
    const detail = `a tenant has at most ${MUTES_MAXIMUM} muted series`;
    throw new ProblemError('VALIDATION_FAILED', 'Too many muted series. Unmute one first.', {
      errors: [{ pointer: '', detail }],
    });
  }
  return [...others, mute];
};
