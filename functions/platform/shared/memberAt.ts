/** The member of a JSON value at a path. Undefined if there is none. Reads own members only. */
export const memberAt = (value: unknown, ...path: readonly string[]): unknown => {
  let member: unknown = value;
  for (const name of path) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, name)) return undefined;
    member = Reflect.get(member, name);
  }
  return member;
};
