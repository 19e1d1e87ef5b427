// The data of the staff's views by name (staff/). Most of their pages are made of parts (part-pages.ts).

export type StaffPages = {};
