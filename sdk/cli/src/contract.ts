/** The values of a type of the contract. One that is missing, or that the contract does not have, does not compile. */
export const valuesOf = <Value extends string>(known: Readonly<Record<Value, true>>): readonly Value[] =>
  Object.keys(known).filter((name): name is Value => Object.hasOwn(known, name));
