import { describe, expect, it } from 'vitest';
import { ZONE_OF_REGION } from '../../../functions/impact/footprint/cloudRegions.ts';
import { gridOf } from '../../../functions/impact/footprint/grid.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { regionName } from '../../../functions/impact/usage/regionName.ts';

const gridFor = (provider: string, model: string, region?: string) => {
  const { intensity, ...grid } = gridOf(modelIdentity(provider, model), region);
  return { ...grid, intensity: intensity.toFixed() };
};

describe('the grid of a call', () => {
  it.each([...ZONE_OF_REGION])('is known for region %s in zone %s', (region, zone) => {
    const grid = gridFor('openai', 'gpt-4o', region);

    expect(grid).toMatchObject({ zone, basis: 'region', year: 2025 });
    expect(Number(grid.intensity)).toBeGreaterThan(0);
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
