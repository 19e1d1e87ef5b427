// A hashtag's name: the # comes first in the direction of the name, whatever that of the page is.

export const TagName = ({ name }: { name: string }) => <bdi>#{name}</bdi>;
