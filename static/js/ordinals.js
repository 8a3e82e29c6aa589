// English ordinals, as server/core/names.h has them.

const ordinal = (n) => {
    const end = Math.floor((n % 100) / 10) === 1 ? 'th' : ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th';
    return `${n}${end}`;
};

/** A name of an event as it is read: tags, and so the API, have "31th". */
export const eventName = (name) => name.replace(/(?<![A-Za-z\d])(\d+)th(?![A-Za-z\d])/g, (_, digits) => ordinal(digits));
