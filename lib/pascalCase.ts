/** The id of a construct made from a name in a table of the contract: `accepted` → `Accepted`. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
