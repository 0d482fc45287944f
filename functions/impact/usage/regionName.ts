/** The region a producer's text names: display names (`East US 2`) and availability zones (`us-east-1a`) included. */
export const regionName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '')
    .replace(/^((?:[a-z]+-)+\d)[a-f]$/, '$1')
    .replace(/^([a-z]+-[a-z]+\d+)-[a-f]$/, '$1');
