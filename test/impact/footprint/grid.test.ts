import { describe, expect, it } from 'vitest';
import { ZONE_OF_REGION } from '../../../functions/impact/footprint/cloudRegions.ts';
import { gridOf } from '../../../functions/impact/footprint/grid.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { regionName } from '../../../functions/impact/usage/regionName.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';

/** Countries of the regions with such a name. The first expression that matches counts. */
const COUNTRIES_BY_NAME: readonly (readonly [name: RegExp, countries: string])[] = [
  // Azure names the country, except for these.
  [/^northeurope$/, 'IE'],
  [/^westeurope$/, 'NL'],
  [/^southeastasia$/, 'SG'],
  [/^eastasia$/, 'HK'],
  [/^usgov|us\d?$/, 'US'],
  [/canada|^northamerica-northeast|^ca-/, 'CA'],
  [/mexico|^northamerica-south|^mx-/, 'MX'],
  [/brazil|^southamerica-east|^sa-/, 'BR'],
  [/chile|^southamerica-west/, 'CL'],
  [/^uk/, 'GB'],
  [/france/, 'FR'],
  [/germany|^eusc-de-/, 'DE'],
  [/switzerland/, 'CH'],
  [/norway/, 'NO'],
  [/sweden/, 'SE'],
  [/denmark/, 'DK'],
  [/finland/, 'FI'],
  [/poland/, 'PL'],
  [/austria/, 'AT'],
  [/belgium/, 'BE'],
  [/italy/, 'IT'],
  [/spain/, 'ES'],
  [/greece/, 'GR'],
  [/israel|^il-|^me-west/, 'IL'],
  [/uae/, 'AE'],
  [/qatar/, 'QA'],
  [/southafrica|^af-|^africa-/, 'ZA'],
  [/japan|^ap-northeast-[13]$|^asia-northeast[12]$/, 'JP'],
  [/korea|^ap-northeast-2$|^asia-northeast3$/, 'KR'],
  [/india|^ap-south-|^asia-south\d/, 'IN'],
  [/^australia|^ap-southeast-[24]$/, 'AU'],
  [/newzealand|^ap-southeast-6$/, 'NZ'],
  [/indonesia|^ap-southeast-3$|^asia-southeast2$/, 'ID'],
  [/malaysia|^ap-southeast-5$/, 'MY'],
  [/^ap-southeast-7$/, 'TH'],
  [/^a[a-z]+-southeast-?1$/, 'SG'],
  [/taiwan|^ap-east-2$|^asia-east1$/, 'TW'],
  [/^ap-east-1$|^asia-east2$/, 'HK'],
  [/china|^cn-/, 'CN'],
  // The other names tell a continent.
  [/^us-/, 'US'],
  [/^eu-|^europe-/, 'BE CH DE ES FI FR GB IE IT NL PL SE'],
  [/^me-/, 'AE BH QA SA'],
];

const gridFor = (provider: string, model: string, region?: string) => {
  const { intensity, ...grid } = gridOf(modelIdentity(provider, model), region);
  return { ...grid, intensity: intensity.toFixed() };
};

describe('the grid of a call', () => {
  it('is known for every region, in a country that the name of the region tells', async () => {
    await expectNoFaults(ZONE_OF_REGION.keys(), String, (region) => {
      const { zone, basis, year, intensity } = gridFor('openai', 'gpt-4o', region);
      const countries = COUNTRIES_BY_NAME.find(([name]) => name.test(region))?.[1].split(' ') ?? [];
      const country = zone.slice(0, 2);
      return [
        ...unequal('basis and year', [basis, year], ['region', 2025]),
        ...(Number(intensity) > 0 ? [] : [`has the intensity ${intensity}`]),
        ...(countries.includes(country) ? [] : [`is in ${zone}, not in one of ${countries}`]),
      ];
    });
  });

  it.each([
    ['us-east-1', 'US-MIDA-PJM', '418'],
    ['us-west-2', 'US-NW-BPAT', '129'],
    ['eu-central-1', 'DE', '342'],
    ['ap-south-1', 'IN-WE', '653'],
    ['ca-west-1', 'CA-AB', '385'],
    ['eastus', 'US-MIDA-PJM', '418'],
    ['swedencentral', 'SE', '21'],
    ['northeurope', 'IE', '301'],
    ['westus', 'US-CAL-CISO', '208'],
    ['westus3', 'US-SW-AZPS', '393'],
    ['us-central1', 'US-MIDW-MISO', '501'],
    ['europe-west4', 'NL', '253'],
    ['us-east2', 'US-SE-SOCO', '470'],
    ['ca-central-1', 'CA-QC', '41'],
    ['eu-west-1', 'IE', '301'],
    ['eu-north-1', 'SE', '21'],
    ['ap-southeast-2', 'AU-NSW', '525'],
    ['northcentralus', 'US-MIDA-PJM', '418'],
    ['me-central1', 'QA', '490'],
    ['cn-northwest-1', 'CN', '485'],
    ['westcentralus', 'US-NW-WACM', '687'],
    ['europe-north2', 'SE', '21'],
  ])('in %s is %s at %s g/kWh', (region, zone, intensity) => {
    expect(gridFor('openai', 'gpt-4o', region)).toMatchObject({ zone, intensity });
  });

  it.each([
    ['us-east-1a', 'us-east-1'],
    ['europe-west4-b', 'europe-west4'],
    ['East US 2', 'eastus2'],
    ['EU-WEST-1', 'eu-west-1'],
    ['us-east-1', 'us-east-1'],
    ['us-east4', 'us-east4'],
  ])('reads region %j as %s', (text, name) => {
    expect(regionName(text)).toBe(name);
  });

  it.each([
    ['ap-northeast-2', 'KR'],
    ['ap-northeast-3', 'JP-KN'],
    ['eu-west-2', 'GB'],
    ['eu-west-3', 'FR'],
    ['eu-south-1', 'IT-NO'],
    ['eu-central-2', 'CH'],
    ['mx-central-1', 'MX'],
    ['ap-southeast-5', 'MY-WM'],
    ['ap-southeast-7', 'TH'],
  ])('in %s is %s, which public mappings omit', (region, zone) => {
    expect(gridFor('aws', 'amazon.nova-pro-v1:0', region)).toMatchObject({ zone, basis: 'region' });
  });

  it.each('us us-gov ca jp au in kr uk il eu apac sa me global'.split(' '))(
    'is known for the routing area %s',
    (area) => {
      const grid = gridFor('aws', `${area}.amazon.nova-pro-v1:0`);

      expect(grid.basis).toBe('country');
      expect(Number(grid.intensity)).toBeGreaterThan(0);
    },
  );

  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'USA', 'country'],
    ['jp.anthropic.claude-sonnet-4-5-20250929-v1:0', 'JPN', 'country'],
    ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'EU', 'area'],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'WORLD', 'area'],
  ])("of profile %s is not the caller's region", (model, zone, place) => {
    expect(gridFor('aws', model, 'us-west-2')).toMatchObject({ zone, place, basis: 'country', year: 2024 });
  });

  it.each([
    ['openai', 'gpt-4o', 'USA', '383.55'],
    ['mistral', 'mistral-large-latest', 'SWE', '35.89'],
    ['deepseek', 'deepseek-chat', 'CHN', '557.5'],
    ['in-house', 'llama-3.3-70b', 'USA', '383.55'],
  ])('of %s is the provider default when the region is unknown', (provider, model, zone, intensity) => {
    const expected = { zone, intensity, basis: 'provider_default', place: 'area' };

    expect(gridFor(provider, model)).toMatchObject(expected);
    expect(gridFor(provider, model, 'basement-2')).toMatchObject(expected);
  });

  it('of a global endpoint is the world average', () => {
    expect(gridFor('google', 'gemini-2.5-pro', 'global')).toMatchObject({ zone: 'WORLD', basis: 'country' });
  });
});
