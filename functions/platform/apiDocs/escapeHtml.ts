const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that HTML shows as it is, also in attributes between double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (found) => entities[found] ?? found);
