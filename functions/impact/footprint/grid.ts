import { averageIntensity } from '@tgwf/co2/data';
import { yearly2025 } from '@tgwf/co2/data/electricity-maps';
import type { CarbonExplanation } from '../../../schemas/attribution/explanation.ts';
import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';
import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { routingArea } from '../usage/bedrockId.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import { regionName } from '../usage/regionName.ts';
import { ZONE_OF_REGION } from './cloudRegions.ts';
import { dataCentre } from './dataCentre.ts';
import type { LocationClass } from './uncertainty.ts';

/** Version of @tgwf/co2, which republishes both sources; pinned in package.json. */
export const CO2JS_VERSION = '0.19.0';

/** Yearly average intensity of the grid a call ran on, life cycle, location-based. */
export interface Grid {
  readonly zone: string;
  readonly basis: NonNullable<CarbonExplanation['zone_basis']>;
  readonly place: LocationClass;
  readonly year: number;
  readonly version: string;
  /** gCO2e per kWh. */
  readonly intensity: Decimal;
}

const intensityOf = (gramsPerKwh: number | undefined, zone: string): Decimal => {
  if (gramsPerKwh === undefined) throw new RangeError(`no grid intensity for zone ${zone}`);
  return decimal(toDecimalString(decimal(String(gramsPerKwh))));
};

const regionGrid = (zone: string): Grid => ({
  zone,
  basis: 'region',
  place: 'region',
  year: 2025,
  version: `electricity-maps-2025@${CO2JS_VERSION}`,
  intensity: intensityOf(yearly2025.data[zone]?.carbonIntensity.value, zone),
});

const emberGrid = (zone: string, basis: Grid['basis'], place: LocationClass): Grid => ({
  zone,
  basis,
  place,
  year: 2024,
  version: `ember-2024@${CO2JS_VERSION}`,
  intensity: intensityOf(averageIntensity.data[zone], zone),
});

/** Ember areas of routing areas and multi-region endpoints. The provider selects the region within the area. */
export const ROUTING_AREAS: ReadonlyMap<string, readonly [zone: string, place: LocationClass]> = new Map([
  ['us', ['USA', 'country']],
  ['us-gov', ['USA', 'country']],
  ['ca', ['CAN', 'country']],
  ['jp', ['JPN', 'country']],
  ['au', ['AUS', 'country']],
  ['in', ['IND', 'country']],
  ['kr', ['KOR', 'country']],
  ['uk', ['GBR', 'country']],
  ['il', ['ISR', 'country']],
  ['eu', ['EU', 'area']],
  ['europe', ['EU', 'area']],
  ['apac', ['ASIA', 'area']],
  ['asia', ['ASIA', 'area']],
  ['sa', ['LATIN AMERICA AND CARIBBEAN', 'area']],
  ['me', ['MIDDLE EAST', 'area']],
  ['global', ['WORLD', 'area']],
]);

const locate = (key: string): Grid => {
  const [provider = '', model = '', region = '', servedIn = ''] = key.split('\u0000');
  const servedZone = ZONE_OF_REGION.get(regionName(servedIn));
  if (servedZone !== undefined) return regionGrid(servedZone);
  // A routing area takes precedence: the region of such an event is the caller's, not the one that served the call.
  const area = ROUTING_AREAS.get(routingArea(model) ?? '');
  if (area !== undefined) return emberGrid(area[0], 'country', area[1]);
  const name = regionName(region);
  const zone = ZONE_OF_REGION.get(name);
  if (zone !== undefined) return regionGrid(zone);
  const wide = ROUTING_AREAS.get(name);
  if (wide !== undefined) return emberGrid(wide[0], 'country', wide[1]);
  return emberGrid(dataCentre(provider).defaultArea, 'provider_default', 'area');
};

const located = memoize(locate);

/** The grid a call ran on: the region that ran it, its routing area, its cloud region, else the default of its provider. Never null. */
export const gridOf = (identity: ModelIdentity, region: string | undefined, servedIn?: string): Grid =>
  located(memoKey(identity.provider, identity.model, region ?? '', servedIn ?? ''));
