/** A construct id from a resource name: `accepted` → `Accepted`. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
