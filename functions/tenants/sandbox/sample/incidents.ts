import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { gpt41, sonnet } from './models.ts';
import { seededDraws } from './seededRandom.ts';
import type { Service } from './service.ts';
import { services } from './services.ts';
import type { PlannedCall } from './traffic.ts';

/** Calls that cost much more than the usual ones of their service, in groups of a few minutes. */
interface Incident {
  readonly name: string;
  readonly service: string;
  /** How the calls differ from the usual ones of the service. */
  readonly change: Pick<Service, 'input' | 'output' | 'cacheHits' | 'models'>;
  /** UTC hours of the day, `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly groups: number;
  readonly groupCalls: number;
}

/**
 * What went wrong at the fictional company, on one day. Each incident costs more than the largest range that the detector
 * expects of the service, and has calls of more persons than k-anonymity needs.
 */
export const incidents: readonly Incident[] = [
  {
    // A retry repeats each question whose tool call failed, with the whole conversation and the larger model.
    name: 'retries',
    service: 'checkout-assistant',
    change: {
      input: { median: 48_000, sigma: 0.3 },
      output: { median: 700, sigma: 0.4 },
      cacheHits: 0,
      models: [{ share: 1, ...gpt41 }],
    },
    from: 10,
    to: 15,
    groups: 7,
    groupCalls: 15,
  },
  {
    // A release sends the complete help centre with each question, and to the larger model.
    name: 'release',
    service: 'support-copilot',
    change: {
      input: { median: 44_000, sigma: 0.2 },
      output: { median: 320, sigma: 0.5 },
      cacheHits: 0,
      models: [{ share: 1, ...sonnet }],
    },
    from: 18,
    to: 22,
    groups: 12,
    groupCalls: 7,
  },
];

/** Number of calls of all incidents. */
export const INCIDENT_CALLS = incidents.reduce((sum, { groups, groupCalls }) => sum + groups * groupCalls, 0);

const GROUP_MS = 4 * MINUTE_MS;
/** The hourly detector evaluates a day when it has been over for ten minutes, so this long after the data set at most. */
const EVALUATED_WITHIN_MS = 50 * MINUTE_MS;

/**
 * The start of the day of the incidents, for a data set that is made at `now` (both epoch milliseconds): the newest day that
 * is over when the detector runs next.
 */
export const incidentDay = (now: number): number =>
  Math.floor((now + EVALUATED_WITHIN_MS) / DAY_MS) * DAY_MS - DAY_MS;

/** The calls of the incidents, for a data set that is made at `now` (epoch milliseconds). The first one has `index`. */
export const planIncidents = (seed: number, now: number, index: number): PlannedCall[] =>
  incidents
    .flatMap((incident) => {
      const usual = services.find(({ name }) => name === incident.service);
      if (usual === undefined) throw new Error(`there is no service ${incident.service}`);
      const service = { ...usual, ...incident.change };
      return Array.from({ length: incident.groups * incident.groupCalls }, (_, call) => {
        const group = `sample/${seed}/incident/${incident.name}/${Math.floor(call / incident.groupCalls)}`;
        const name = `${group}/${call}`;
        const hours = (incident.to - incident.from) * HOUR_MS;
        const started = incident.from * HOUR_MS + seededDraws(group).uniform() * (hours - GROUP_MS);
        const at = incidentDay(now) + Math.floor(started + seededDraws(`${name}/plan`).uniform() * GROUP_MS);
        return { service, name, trace: `${name}/trace`, at };
      });
    })
    .map((call, position) => ({ ...call, index: index + position }));
