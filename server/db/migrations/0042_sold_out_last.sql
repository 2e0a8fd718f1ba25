DROP INDEX "products_top";--> statement-breakpoint
DROP INDEX "products_category_top";--> statement-breakpoint
DROP INDEX "products_seller_top";--> statement-breakpoint
CREATE INDEX "products_top" ON "products" USING btree ("is_available" DESC NULLS LAST,"units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_category_top" ON "products" USING btree ("category","is_available" DESC NULLS LAST,"units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_seller_top" ON "products" USING btree ("seller_id","is_available" DESC NULLS LAST,"units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","option_set","brand") WHERE is_visible;