/** `2027-03-01 09:30 UTC`: in UTC, since a person may work in workshops of several zones. */
export const timeText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
